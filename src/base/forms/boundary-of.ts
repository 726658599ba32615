import { readHeaderParameters } from './read-header-parameters.ts';

/** RFC 2046 5.1.1 */
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/;

/** Reports whether a content type names a form with parts. */
export const isFormType = (contentType: string | null): boolean =>
  contentType !== null && /^\s*multipart\/form-data\s*(;|$)/i.test(contentType);

/**
 * Returns the boundary of a form, or undefined if the content type has no valid one.
 *
 * @example
 * boundaryOf('multipart/form-data; boundary=x'); // → 'x'
 */
export function boundaryOf(contentType: string | null): string | undefined {
  if (contentType === null) return undefined;
  const semicolon = contentType.indexOf(';');
  const parameters = semicolon < 0 ? undefined : readHeaderParameters(contentType.slice(semicolon));
  const boundary = parameters?.get('boundary');
  return boundary !== undefined && BOUNDARY.test(boundary) ? boundary : undefined;
}
