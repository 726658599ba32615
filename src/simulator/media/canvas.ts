export type Color = readonly [red: number, green: number, blue: number];
export type Size = { width: number; height: number };
export type Canvas = Size & { color: Color };
