/** Returns the place of the page that is made of a document. */
export const htmlPlace = (document: string): string => document.replace(/\.md$/, '.html');
