const TOKEN_NAME = 'tollgate-admin-token';
const PAGE_SIZE = 50;
const part = (id) => document.getElementById(id);
/** The account whose keys are shown. */
let chosen = null;

/** Calls the admin API of this server. A refused call throws an error with the message of the response. */
async function admin(method, path, body) {
  const response = await fetch(`admin/v1${path}`, {
    method,
    cache: 'no-store',
    headers: { authorization: `Bearer ${sessionStorage.getItem(TOKEN_NAME)}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw Object.assign(new Error(answer.error.message), { status: response.status });
}

/** An event handler that shows the message of a failure, and signs out if the token is invalid. */
const attempt = (act) => async (event) => {
  event?.preventDefault();
  part('problem').textContent = '';
  try {
    await act(event?.currentTarget);
  } catch (error) {
    if (error.status === 401) signOut();
    part('problem').textContent = error.message;
  }
};

const element = (name, text, more = {}) =>
  Object.assign(document.createElement(name), { textContent: text, ...more });

function rowOf(...cells) {
  const row = document.createElement('li');
  row.append(...cells);
  return row;
}

/** Fills a list page by page. The returned function starts again at the first page. */
function pagesInto({ list, more, path, row, isPaged }) {
  let last = null;
  let round = 0;
  const next = async () => {
    const [mine, from] = [round, last];
    const after = from === null ? '' : `&after=${encodeURIComponent(from)}`;
    const url = path();
    // A list without pages refuses `limit`.
    const page = await admin('GET', isPaged ? `${url}?limit=${PAGE_SIZE}${after}` : url);
    // Drops a page that is out of date: the account changed, the list was restarted, or the page is already shown.
    if (url !== path() || mine !== round || from !== last) return;
    if (from === null) list.replaceChildren();
    list.append(...page.data.map(row));
    last = page.last_id;
    more.hidden = !page.has_more;
  };
  more.addEventListener('click', attempt(next));
  return () => {
    last = null;
    round++;
    more.hidden = true;
    return next();
  };
}

const showAccounts = pagesInto({
  list: part('accounts'),
  more: part('more-accounts'),
  path: () => '/accounts',
  isPaged: true,
  row: (account) => {
    const open = element('button', account.name, { type: 'button' });
    open.addEventListener(
      'click',
      attempt(() => choose(account)),
    );
    const state = account.status === 'active' ? '' : `, ${account.status}`;
    return rowOf(open, element('span', `${account.plan}${state}`), element('code', account.id));
  },
});

const showKeys = pagesInto({
  list: part('account-keys'),
  more: part('more-keys'),
  path: () => `/accounts/${chosen?.id}/keys`,
  isPaged: false,
  row: (key) => {
    const told = [element('code', `${key.hint}…`), element('strong', key.name ?? '')];
    const until = key.expires_at ? ` until ${key.expires_at.slice(0, 10)}` : '';
    const since = `since ${key.created_at.slice(0, 10)}${until}${key.payg ? ', pay as you go' : ''}`;
    if (key.revoked_at) return rowOf(...told, element('span', `revoked on ${key.revoked_at.slice(0, 10)}`));
    const revoke = element('button', 'Revoke', { type: 'button' });
    revoke.setAttribute('aria-label', `Revoke ${key.name ?? key.hint}`);
    revoke.addEventListener(
      'click',
      attempt(() => end(key)),
    );
    return rowOf(...told, element('span', since), revoke);
  },
});

async function choose(account) {
  chosen = account;
  part('created').hidden = true;
  part('created-key').textContent = '';
  part('account-name').textContent = `Keys of ${account.name}`;
  part('account-keys').replaceChildren();
  part('account').hidden = false;
  await showKeys();
  part('account-name').focus();
}

async function end(key) {
  if (!confirm(`Revoke ${key.name ?? key.hint}? Its clients are refused immediately. This cannot be undone.`))
    return;
  await admin('DELETE', `/keys/${key.id}`);
  await showKeys();
}

function signOut() {
  sessionStorage.removeItem(TOKEN_NAME);
  chosen = null;
  for (const id of ['accounts', 'account-keys']) part(id).replaceChildren();
  part('created-key').textContent = '';
  for (const id of ['desk', 'account', 'created']) part(id).hidden = true;
  part('sign-in').hidden = false;
}

async function enter() {
  await showAccounts();
  part('sign-in').hidden = true;
  part('desk').hidden = false;
}

const onSubmit = (id, act) => part(id).addEventListener('submit', attempt(act));

onSubmit('sign-in', async (form) => {
  sessionStorage.setItem(TOKEN_NAME, form.elements.token.value.trim());
  form.reset();
  await enter();
});

onSubmit('new-account', async (form) => {
  const { name, plan } = form.elements;
  const account = await admin('POST', '/accounts', { name: name.value, plan: plan.value });
  form.reset();
  await showAccounts();
  await choose(account);
});

onSubmit('new-key', async (form) => {
  const account = chosen;
  const name = form.elements.name.value.trim();
  const body = { payg: form.elements.payg.checked, ...(name !== '' && { name }) };
  const { key } = await admin('POST', `/accounts/${account.id}/keys`, body);
  form.reset();
  if (account !== chosen) await choose(account);
  part('created-key').textContent = key;
  part('created').hidden = false;
  await showKeys();
});

part('sign-out').addEventListener('click', signOut);
if (sessionStorage.getItem(TOKEN_NAME) !== null) attempt(enter)();
