/** Reports whether an object has no enumerable member. It makes no list of the members. */
export function isEmptyObject(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
