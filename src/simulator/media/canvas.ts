export type Color = readonly [red: number, green: number, blue: number];
export type Canvas = { width: number; height: number; color: Color };
