import { escapeHtml } from '../../base/lib/escape-html.ts';
import { Html } from '../docs/html.ts';
import { headingAnchor } from './heading-anchor.ts';
import { type PageSection, sectionsOf } from './sections-of.ts';
import { textOfMarkup } from './text-of-markup.ts';

export type RenderedPage = { title: string; body: Html; sections: readonly PageSection[] };

const COMMENT = /^\s*&lt;!--/;
const OWN_PAGE = /^(?![a-z][a-z0-9+.-]*:)([^#]*)\.md(#.*)?$/;

/** Returns the address of a page in HTML: `limits.md#rows` becomes `limits.html#rows`. */
const pageAddress = (href: string): string => href.replace(OWN_PAGE, '$1.html$2');

const tag = (name: string) => (children: string) => `<${name}>${children}</${name}>`;
const cell =
  (name: string) =>
  (children: string, { align = 'left' } = {}) =>
    align === 'left' ? `<${name}>${children}` : `<${name} class="${align}">${children}`;

/**
 * Renders a document. Its headings get the anchors of GitHub. HTML in documents is shown as text, and
 * comments are left out.
 */
export function renderMarkdown(text: string): RenderedPage {
  const anchors = new Map<string, number>();
  const anchorFor = (heading: string): string => {
    const anchor = headingAnchor(heading);
    const times = anchors.get(anchor) ?? 0;
    anchors.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
  const body = Bun.markdown.render(text, {
    text: escapeHtml,
    heading(children, { level }) {
      const anchor = anchorFor(textOfMarkup(children));
      const content = level === 2 ? `<a class="anchor" href="#${anchor}">${children}</a>` : children;
      return `<h${level} id="${anchor}">${content}</h${level}>\n`;
    },
    paragraph: (children) => `<p>${children}</p>\n`,
    codespan: tag('code'),
    strong: tag('strong'),
    emphasis: tag('em'),
    strikethrough: tag('del'),
    blockquote: tag('blockquote'),
    hr: () => '<hr>\n',
    code: (children) => `<div class="block"><pre tabindex="0"><code>${children}</code></pre></div>\n`,
    list: (children, { ordered }) => (ordered ? `<ol>${children}</ol>\n` : `<ul>${children}</ul>\n`),
    listItem: (children) => `<li>${children}</li>\n`,
    table: (children) => `<div class="scroll" tabindex="0"><table>${children}</table></div>\n`,
    thead: tag('thead'),
    tbody: tag('tbody'),
    tr: tag('tr'),
    // A column without a name has no header.
    th: (children, meta) =>
      children === '' ? '<td></td>' : `${cell('th scope="col"')(children, meta)}</th>`,
    td: (children, meta) => `${cell('td')(children, meta)}</td>`,
    link: (children, { href }) => `<a href="${escapeHtml(pageAddress(href))}">${children}</a>`,
    image: (children, { src }) => `<img src="${escapeHtml(src)}" alt="${children}">`,
    html: (children) => (COMMENT.test(children) ? '' : children),
  });
  const sections = sectionsOf(body);
  return { title: sections[0]?.heading ?? '', body: new Html(body), sections };
}
