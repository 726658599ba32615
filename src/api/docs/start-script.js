const dot = document.getElementById('ready-dot');
const ready = document.getElementById('ready');
const models = document.getElementById('models');

const POLL_MS = 15_000;

function show(text, kind) {
  ready.textContent = text;
  dot.className = `dot ${kind}`;
}

async function look() {
  try {
    const { status, problem } = await (await fetch('readyz', { cache: 'no-store' })).json();
    if (status === 'ready') show('Ready', 'good');
    else show(status === 'draining' ? 'Stopping' : `Not ready${problem ? `: ${problem}` : ''}`, 'bad');
  } catch {
    show('Not reachable', 'bad');
  }
}

async function count() {
  try {
    const { data } = await (await fetch('v1/models')).json();
    models.textContent = String(data.length);
  } catch {
    // The count that the page was rendered with stays.
  }
}

look();
count();
setInterval(() => {
  if (document.visibilityState === 'visible') look();
}, POLL_MS);
