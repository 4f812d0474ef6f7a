# The server and the command line in a small Debian 12 image. The build needs the network only for apt.
#
#   docker build -t repath .
#   docker run -d --name repath -p 127.0.0.1:7700:7700 -p 127.0.0.1:7780:7780 -v repath:/var/lib/repath repath
#   docker exec repath repath demo doors
FROM debian:bookworm-slim AS build
RUN apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    g++ cmake ninja-build mold libgrpc++-dev protobuf-compiler protobuf-compiler-grpc libprotobuf-dev libabsl-dev \
    libspdlog-dev libboost1.81-dev libcli11-dev nlohmann-json3-dev librecast-dev prometheus-cpp-dev libssl-dev zlib1g-dev \
    libsqlite3-dev
WORKDIR /src
COPY CMakeLists.txt CMakePresets.json ./
COPY proto proto
COPY server server
COPY client client
RUN cmake --preset release -DREPATH_BUILD_TESTS=OFF && cmake --build build/release --target repathd repath repath-bare && \
    strip build/release/bin/repathd build/release/bin/repath build/release/bin/repath-bare

FROM debian:bookworm-slim
RUN apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    libgrpc++1.51 libprotobuf32 libabsl20220623 libspdlog1.10 libfmt9 librecast1 libprometheus-cpp-core1.0 \
    libsqlite3-0 && \
    rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /usr/share/doc /usr/share/man && \
    useradd --system --no-create-home --shell /usr/sbin/nologin repath && \
    install -d -o repath -g repath /var/lib/repath
COPY --from=build /src/build/release/bin/repathd /src/build/release/bin/repath /src/build/release/bin/repath-bare \
    /usr/local/bin/
COPY deploy/docker/repathd.conf /etc/repath/
COPY deploy/maps /usr/share/repath/maps
COPY LICENSE /usr/share/repath/
USER repath
# Worlds, agents and answers outlive the container if this is a volume.
VOLUME /var/lib/repath
EXPOSE 7700 7780
# The server is ready when /readyz answers 200. bash opens the connection itself, so the image needs no HTTP client. The port
# is that of `http` in the settings, which has no TLS on loopback. With an --http of your own set a --health-cmd, too.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/7781 && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["repathd", "--config", "/etc/repath/repathd.conf"]
# --insecure: inside of the container the ports are open to its network without TLS, and `docker run -p` decides who else reaches
# them. 7780 has the console, the API by HTTP, health and metrics: publish it on loopback. Flags after the image's name take the
# place of --insecure, so for other machines the three of server/docs/security.md are enough. The image's user must be able to read
# the files; `docker run --rm --entrypoint id repath` shows its number.
#
#   docker run -d -p 7700:7700 -v "$PWD/etc:/run/secrets:ro" -v repath:/var/lib/repath repath \
#     --tls-cert /run/secrets/server.pem --tls-key /run/secrets/server.key --tokens /run/secrets/tokens
CMD ["--insecure"]
