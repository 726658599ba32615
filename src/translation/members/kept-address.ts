/** The addresses of files that Google keeps. A key of another account cannot read them. */
export const KEPT_ADDRESS = /^(?:gs:\/\/|files\/|https:\/\/generativelanguage\.googleapis\.com\/)/;
