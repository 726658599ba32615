/** The addresses that the page names. Outside of a server it has no form that sends requests. */
export type DocsAddresses = { home: string; guides: string; catalog: string; sendsRequests: boolean };

/** The addresses of the page on a server. */
export const onServer: DocsAddresses = {
  home: './',
  guides: 'docs/index.html',
  catalog: 'v1/models',
  sendsRequests: true,
};

/** The addresses of the page as a file of a site. */
export const asFile: DocsAddresses = {
  home: 'index.html',
  guides: 'index.html',
  catalog: '{origin}/v1/models',
  sendsRequests: false,
};
