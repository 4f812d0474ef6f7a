#!/usr/bin/env bash
# Checks what is deployed beside the packages, and needs no build: alerts, dashboard, Kubernetes, image. Usage: tests/deployed.sh
# Needs promtool and python3. With kubectl or kustomize it looks at what they make of the Kubernetes files, too.
set -euo pipefail
source=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

promtool check rules "$source/deploy/prometheus/alerts.yml"
promtool test rules "$source/deploy/prometheus/alerts_test.yml"

for overlay in base tls; do
  if command -v kubectl >/dev/null; then
    kubectl kustomize "$source/deploy/kubernetes/$overlay" >"$work/$overlay.yaml"
  elif command -v kustomize >/dev/null; then
    kustomize build "$source/deploy/kubernetes/$overlay" >"$work/$overlay.yaml"
  fi
done

python3 - "$source" "$work" <<'P'
import json, pathlib, re, sys
top, made = map(pathlib.Path, sys.argv[1:])

def text(name):
    return (top / name).read_text()

# Dashboard and alerts ask for metrics of this server, and each alert has its test and its line in the runbook.
alerts = text("deploy/prometheus/alerts.yml")
asked = set(re.findall(r"repath_[a-z_]+", json.dumps(json.loads(text("deploy/grafana/repath.json"))) + alerts))
known = {name for path in (top / "server").rglob("*.cc") for name in re.findall(r"repath_[a-z_]+", path.read_text())}
missing = sorted(name for name in {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked} if name not in known)
assert not missing, f"no metric of the server: {missing}"
for alert in re.findall(r"alert: (\w+)", alerts):
    assert f"### {alert}\n" in text("server/docs/operation.md"), f"no line in the runbook for {alert}"
    assert f"alertname: {alert}\n" in text("deploy/prometheus/alerts_test.yml"), f"no test of {alert}"

# Kustomize must not add the server's label to the clients that the network policy lets in.
for path in (top / "deploy/kubernetes").rglob("kustomization.yaml"):
    plain = re.sub(r"#.*", "", path.read_text())
    assert not re.search(r"includeSelectors: *true|commonLabels", plain), f"{path}: adds labels to selectors"
policies = {"network.yaml": text("deploy/kubernetes/base/network.yaml")}
for path in made.glob("*.yaml"):
    policies[path.name] = next(part for part in path.read_text().split("\n---\n") if "kind: NetworkPolicy" in part)
for name, policy in policies.items():
    plain = re.sub(r"#.*", "", policy)
    ingress = plain[plain.index("  ingress:"):].split("\n  podSelector:")[0]
    assert re.search(r'repath-client: "true"', ingress), f"{name}: lets in no client"
    assert "app.kubernetes.io/name" not in ingress, f"{name}: asks clients for the server's label"

# Flags of `docker run` take the place of --insecure, and the health check asks where there is never TLS.
image = text("Dockerfile").replace("\\\n", "")
assert "--insecure" not in re.search(r"^ENTRYPOINT (.*)", image, re.M)[1]
assert json.loads(re.search(r"^CMD (.*)", image, re.M)[1]) == ["--insecure"]
health = json.loads(re.search(r"^HEALTHCHECK .*?CMD (\[.*)", image, re.M)[1])[-1]
http = re.search(r"^http = (\S+):(\d+)$", text("deploy/docker/repathd.conf"), re.M)
assert http and http[1] == "127.0.0.1" and f"/dev/tcp/127.0.0.1/{http[2]} " in health, "the health check asks another port"

# Where the settings of the Debian package are uncommented as they say, the server listens on one address.
debian = re.sub(r"^#(\w)", r"\1", text("deploy/debian/repathd.conf"), flags=re.M)
assert re.findall(r"^listen = .*", debian, re.M) == ["listen = 0.0.0.0:7700"], "repathd.conf listens twice on a port"
for name in "tls-cert", "tls-key", "tokens":
    assert re.search(rf"^{name} = /etc/repath/", debian, re.M), f"repathd.conf has no {name}"

# The service can read what root makes in /etc/repath, is not started again for a wrong setting, and stays disabled.
assert re.search(r"chown root:repath /etc/repath\n *chmod 2750 /etc/repath\n", text("deploy/debian/postinst"))
assert "systemctl enable" not in text("deploy/debian/postinst"), "an upgrade enables the service again"
service = text("deploy/debian/repathd.service").splitlines()
assert {"RestartPreventExitStatus=2", "RuntimeDirectory=repath", "Group=repath"} <= set(service)
P
echo "what is deployed is whole"
