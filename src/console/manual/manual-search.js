const place = document.documentElement.dataset.root;
const field = document.getElementById('site-search');
const found = document.getElementById('site-found');
const results = document.getElementById('site-results');
const article = document.querySelector('article');
const MAX_RESULTS = 30;
const RADIX = 36;

/** Loads the index when the reader first searches. A script also loads where the page was opened from a file. */
let loading;
const loadIndex = () => {
  loading ??= new Promise((loaded, failed) => {
    const script = document.createElement('script');
    script.src = `${place}/search-index.js`;
    script.onload = () => loaded(unpack(globalThis.tollgateIndex));
    script.onerror = () => failed(new Error('the index did not load'));
    document.head.append(script);
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
};

function unpack({ common, pages, sections, words }) {
  const rows = words.split('\n').map((line) => {
    const [word, ...steps] = line.split(' ');
    let number = 0;
    return {
      word,
      numbers: steps.map((step) => {
        number += Number.parseInt(step, RADIX);
        return number;
      }),
    };
  });
  return { common, pages, sections, rows };
}

/** The sections with a word that begins so, or for longer texts contains it. */
function sectionsWith(rows, text) {
  const numbers = new Set();
  for (const row of rows)
    if (text.length > 3 ? row.word.includes(text) : row.word.startsWith(text))
      for (const number of row.numbers) numbers.add(number);
  return numbers;
}

/** Sections whose heading or page has the words come first. */
function weightOf({ pages, sections }, number, words) {
  const [page, , heading] = sections[number];
  const [, title] = pages[page];
  const isIn = (text) => words.filter((word) => text.toLowerCase().includes(word)).length;
  return isIn(heading) * 2 + isIn(title);
}

function find(index, words) {
  const [first = [], ...others] = words
    .filter((word) => !index.common.includes(word))
    .map((word) => sectionsWith(index.rows, word));
  return [...first]
    .filter((number) => others.every((numbers) => numbers.has(number)))
    .map((number) => ({ number, weight: weightOf(index, number, words) }))
    .sort((one, other) => other.weight - one.weight || one.number - other.number);
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function row({ pages, sections }, number) {
  const [page, anchor, heading, excerpt] = sections[number];
  const [address, title] = pages[page];
  const link = document.createElement('a');
  link.href = `${place}/${address}${anchor ? `#${anchor}` : ''}`;
  link.append(element('strong', heading), ' ', element('span', heading === title ? '' : title));
  link.append(element('small', excerpt));
  link.addEventListener('click', () => show([]));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function show(rows) {
  results.replaceChildren(...rows);
  results.hidden = rows.length === 0;
  article.hidden = rows.length > 0;
}

function countText(count) {
  if (count === 0) return 'No results.';
  return count === 1 ? '1 result.' : `${count} results.`;
}

async function search() {
  const text = field.value.toLowerCase();
  const words = text.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  if (words.length === 0) {
    found.textContent = '';
    return show([]);
  }
  try {
    const index = await loadIndex();
    if (text !== field.value.toLowerCase()) return;
    const numbers = find(index, words);
    found.textContent = countText(numbers.length);
    show(numbers.slice(0, MAX_RESULTS).map(({ number }) => row(index, number)));
  } catch {
    found.textContent = 'The search is not available: its index did not load.';
  }
}

field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
field.addEventListener('input', () => {
  search();
  if (field.value !== '') scrollTo({ top: 0 });
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && field.value !== '') {
    field.value = '';
    search();
  }
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  field.focus();
});
