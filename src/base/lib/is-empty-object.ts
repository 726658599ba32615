/** Reports whether an object has no enumerable member, without a list of them. */
export function isEmptyObject(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
