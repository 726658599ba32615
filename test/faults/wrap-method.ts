// biome-ignore lint/suspicious/noExplicitAny: methods of any class
export type Method = (this: any, ...args: any[]) => any;

/** Replaces a method of a class by one that is made around it. */
export function wrap(of: { prototype: object }, name: string, around: (original: Method) => Method): void {
  const methods = of.prototype as Record<string, Method>;
  methods[name] = around(methods[name]!);
}
