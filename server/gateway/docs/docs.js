// The forms of the reference: each calls its method and shows what comes back.
'use strict';

const MESSAGES_SHOWN = 20;

function token() {
  return document.getElementById('token')?.value ?? '';
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function callUnary(path, request, output) {
  const headers = { 'Content-Type': 'application/json', 'Connect-Protocol-Version': '1' };
  if (token()) headers.Authorization = `Bearer ${token()}`;
  const response = await fetch(path, { method: 'POST', headers, body: request });
  output.textContent = `${response.status}\n${pretty(await response.text())}`;
}

// Sends one request and shows the first messages. Returns a function that ends the stream.
function callStream(path, request, output, ended) {
  const protocols = token() ? ['json', `bearer.${token()}`] : ['json'];
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}${path}`, protocols);
  let shown = 0;
  socket.onopen = () => socket.send(request);
  socket.onmessage = ({ data }) => {
    if (++shown <= MESSAGES_SHOWN) output.textContent += `${pretty(data)}\n`;
    if (shown === MESSAGES_SHOWN) socket.close();
  };
  socket.onclose = ({ code }) => {
    output.textContent += `closed with code ${code} after ${shown} messages`;
    ended();
  };
  return () => socket.close();
}

for (const form of document.querySelectorAll('.call')) {
  const button = form.querySelector('button');
  const output = form.querySelector('pre');
  let stop = null;
  button.addEventListener('click', () => {
    if (stop) return stop();
    output.textContent = '';
    const request = form.querySelector('textarea').value;
    if (form.dataset.stream === 'no') {
      callUnary(form.dataset.path, request, output).catch((error) => {
        output.textContent = `no answer: ${error.message}`;
      });
      return;
    }
    button.textContent = 'Stop';
    stop = callStream(form.dataset.path, request, output, () => {
      stop = null;
      button.textContent = 'Call';
    });
  });
}
