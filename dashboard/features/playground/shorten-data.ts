const DATA = /(data:[\w/+.-]+;base64,[A-Za-z0-9+/]{24})[A-Za-z0-9+/=]+/g;
const PLAIN = /("data": ?")([A-Za-z0-9+/]{24})[A-Za-z0-9+/=]{200,}/g;

/** Shortens the images in code for the eye. The copied code has them whole. */
export const shortenData = (code: string): string => code.replace(DATA, '$1…').replace(PLAIN, '$1$2…');
