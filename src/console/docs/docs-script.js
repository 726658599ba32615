const field = document.getElementById('search');
const found = document.getElementById('found');
const main = document.getElementById('main');
/** Returns the searchable text of an element. Lists of error codes are left out, since they would match most searches. */
function textOf(element) {
  const chips = element.querySelector('.chips')?.textContent ?? '';
  return element.textContent.replace(chips, '').toLowerCase();
}

const parts = [...document.querySelectorAll('[data-search]')].map((element) => ({
  element,
  text: textOf(element),
}));
const groups = [...main.querySelectorAll('section:not([data-search])')];
const links = [...document.querySelectorAll('.contents a')];

const targetOf = (link) => document.getElementById(link.hash.slice(1));

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { element, text } of parts) {
    element.hidden = !words.every((word) => text.includes(word));
    if (!element.hidden) count++;
  }
  for (const group of groups) group.hidden = !group.querySelector('[data-search]:not([hidden])');
  for (const link of links) link.parentElement.hidden = targetOf(link)?.hidden ?? false;
  found.textContent = words.length === 0 ? '' : countText(count);
}

function countText(count) {
  if (count === 0) return 'No results.';
  return count === 1 ? '1 result.' : `${count} results.`;
}

function openTarget() {
  const details = document.getElementById(location.hash.slice(1))?.querySelector('details');
  if (details) details.open = true;
}

/** Marks the section in view in the contents list. */
const watcher = new IntersectionObserver(
  (entries) => {
    const seen = entries.filter(({ isIntersecting }) => isIntersecting).at(-1)?.target;
    if (!seen) return;
    for (const link of links) {
      if (targetOf(link) === seen) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
  },
  { rootMargin: '-15% 0px -75%' },
);

field.form.addEventListener('submit', (event) => event.preventDefault());
field.addEventListener('input', () => {
  search();
  if (field.value !== '') scrollTo({ top: 0 });
});
addEventListener('hashchange', openTarget);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  field.focus();
});
openTarget();
for (const link of links) watcher.observe(targetOf(link));
