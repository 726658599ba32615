import { anchorOf } from './anchor-of.ts';
import { closingSections, openingSections } from './docs-sections.ts';
import { guides } from './guides.ts';
import { type Html, html } from './html.ts';
import { groupsOf, type Operation } from './operation.ts';

type Linked = { id: string; title: string };

const link = ({ id, title }: Linked): Html => html`<li><a href="#${id}">${title}</a></li>
`;

/** Lists the sections of the page, and the endpoints by their groups. */
export function docsContents(operations: readonly Operation[]): Html {
  const groups = [...groupsOf(operations)].map(
    ([group, members]) => html`<li><a href="#${anchorOf({ group })}">${group}</a>
<ul>${members.map(
      (operation) =>
        html`<li><a href="#${anchorOf(operation)}"><span class="method ${operation.method.toLowerCase()}">${operation.method}</span>
<span class="path">${shortPath(operation.path)}</span></a></li>
`,
    )}</ul></li>
`,
  );
  return html`<nav class="contents" aria-label="Contents"><ul>${openingSections.map(link)}${guides.map(link)}${groups}${closingSections.map(link)}</ul></nav>`;
}

const shortPath = (path: string): string => path.replace(/^(\/admin)?\/v1(?=\/)/, '');
