import { examplePath } from '../example-path.ts';
import { type Html, html } from '../html.ts';
import type { Operation } from '../operation.ts';

/**
 * Writes a form that sends a request of the operation from the page. Its script shows it, since it does
 * nothing without one.
 */
export function tryItForm({ id, method, path, key, body, bodyExample }: Operation): Html {
  const field = `try-${id}`;
  return html`<details class="inner try" hidden><summary>Try it</summary>
<form data-method="${method}" data-key="${key}">
${
  key !== 'none' &&
  html`<label for="${field}-key">API key</label>
<input id="${field}-key" name="key" type="password" autocomplete="off" spellcheck="false"
 aria-describedby="${field}-note">
<p id="${field}-note" class="note">The page keeps the key in memory until you leave it, and sends it to this server only.</p>`
}
<label for="${field}-path">Path</label>
<input id="${field}-path" name="path" value="${examplePath(path)}" spellcheck="false" autocomplete="off" required>
${
  body &&
  html`<label for="${field}-body">Body</label>
<textarea id="${field}-body" name="body" rows="10" spellcheck="false">${JSON.stringify(bodyExample ?? {}, null, 2)}</textarea>`
}
<p class="actions"><button>Send</button> <button type="button" name="stop" hidden>Stop</button></p>
<p class="outcome" role="status"></p>
<pre class="answer" tabindex="0" hidden><code></code></pre>
</form></details>`;
}
