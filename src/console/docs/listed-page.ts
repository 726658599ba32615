/** A page of the documents, with its address from the root of their site. */
export type ListedPage = { group: string; title: string; place: string; about: string };
