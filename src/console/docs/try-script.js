/** The forms that send a request. The key stays in their fields: nothing stores it. */
const forms = [...document.querySelectorAll('.try form')];

/** The longest shown part of an answer. */
const MOST_SHOWN = 200_000;

/** Resolves a path against the address of the page. Undefined if it is not an endpoint of this server. */
function endpointOf(text) {
  const address = new URL(text.trim().replace(/^\//, ''), new URL('.', location.href));
  const base = new URL('v1/', new URL('.', location.href));
  const isOwn = address.origin === location.origin && address.pathname.startsWith(base.pathname);
  return isOwn ? address : undefined;
}

function headersOf(form) {
  const secret = form.elements.key?.value.trim();
  return {
    ...(form.elements.body && { 'content-type': 'application/json' }),
    ...(secret &&
      (form.dataset.key === 'x-api-key' ? { 'x-api-key': secret } : { authorization: `Bearer ${secret}` })),
  };
}

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Shows the answer as it arrives. */
async function showAnswer(answer, code) {
  let text = '';
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    code.textContent = text.slice(0, MOST_SHOWN);
  }
  if (text.length <= MOST_SHOWN) code.textContent = pretty(text);
}

async function send(form) {
  const [outcome, box] = [form.querySelector('.outcome'), form.querySelector('.answer')];
  const { stop } = form.elements;
  const address = endpointOf(form.elements.path.value);
  box.hidden = true;
  if (!address) {
    outcome.textContent = 'The path must begin with /v1/.';
    return;
  }
  const ending = new AbortController();
  stop.onclick = () => ending.abort();
  stop.hidden = false;
  outcome.textContent = 'Waiting for the answer…';
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1_000).toFixed(2)} s`;
  try {
    const answer = await fetch(address, {
      method: form.dataset.method,
      headers: headersOf(form),
      ...(form.elements.body && { body: form.elements.body.value }),
      ...{ signal: ending.signal, credentials: 'omit', cache: 'no-store', redirect: 'error' },
    });
    outcome.textContent = `Status ${answer.status} after ${seconds()}`;
    box.hidden = false;
    await showAnswer(answer, box.firstElementChild);
    outcome.textContent = `Status ${answer.status}, complete after ${seconds()}`;
  } catch {
    outcome.textContent = ending.signal.aborted ? 'Stopped.' : 'The server could not be reached.';
  } finally {
    stop.hidden = true;
  }
}

for (const form of forms) {
  form.parentElement.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  // A key that is entered once is in all forms.
  form.elements.key?.addEventListener('input', ({ target }) => {
    for (const { elements } of forms) if (elements.key) elements.key.value = target.value;
  });
}
