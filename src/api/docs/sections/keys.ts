import type { Plans } from '../../../settings/plans/plans.ts';
import { type Html, html } from '../html.ts';

const signIn = html`<form id="sign-in" class="row">
<input name="username" autocomplete="username" value="admin" hidden>
<label>Admin token <input name="token" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
<p class="note">The token is in the <code>admin-token</code> file of the data directory. The browser keeps it for this tab only.</p>
</form>`;

/** The dashboard of accounts and keys, for the operator. It is empty until the script has signed in to the admin API. */
export const accountsAndKeys = (
  plans: Plans,
): Html => html`<section aria-labelledby="keys"><h2 id="keys">Accounts and keys</h2>
<noscript><p>This section needs JavaScript. Without it, use <code>bin/tollgate key create</code>.</p></noscript>
${signIn}
<p id="problem" class="problem" role="alert"></p>
<div id="desk" hidden>
<form id="new-account" class="row">
<label>Name <input name="name" maxlength="200" autocomplete="off" required></label>
<label>Plan <select name="plan">${Object.values(plans).map(
  ({ id, displayName }) => html`<option value="${id}">${displayName}</option>`,
)}</select></label>
<button>Create account</button>
</form>
<ul id="accounts" class="rows" aria-label="Accounts"></ul>
<button id="more-accounts" type="button" hidden>More accounts</button>
<div id="account" role="region" aria-labelledby="account-name" hidden>
<h3 id="account-name" tabindex="-1"></h3>
<form id="new-key" class="row">
<label>Name <input name="name" maxlength="200" autocomplete="off" placeholder="laptop"></label>
<label class="check"><input name="payg" type="checkbox"> Pay as you go</label>
<button>Create key</button>
</form>
<div id="created" role="status" hidden><p>Copy this key now. It is not shown again.</p>
<div class="block"><pre><code id="created-key"></code></pre></div></div>
<ul id="account-keys" class="rows" aria-label="Keys of the account"></ul>
<button id="more-keys" type="button" hidden>More keys</button>
</div>
<p><button id="sign-out" type="button">Sign out</button></p>
</div>
</section>`;
