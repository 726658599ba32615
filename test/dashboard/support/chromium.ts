const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'chrome',
];

/** Returns the browser of the tests. It is undefined if there is none, and its tests are skipped. */
export const chromium =
  process.env.CHROMIUM_PATH ?? names.map((name) => Bun.which(name)).find((path) => path !== null);
