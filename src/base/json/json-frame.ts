/** The object that a parser fills. */
export type Members = Record<string, unknown>;

/** A value that was parsed by itself, and its place. */
export type LongValue = { value: unknown; start: number; end: number };

type FramePlace = {
  start: number;
  /** The start of the current part: after the last comma, or after the opening bracket. */
  partStart: number;
  /** The start of the parts that are not parsed yet. */
  groupStart: number;
  /** The colon after the part's key; -1 in a list, and before the colon. */
  colon: number;
  /** The current part's value, if it was long and is parsed already. */
  long: LongValue | undefined;
};

/** An open list or object. Its value is created once it turns out to be longer than a piece. */
export type JsonFrame = ListFrame | ObjectFrame;
type ListFrame = FramePlace & { isList: true; value: unknown[] | undefined };
type ObjectFrame = FramePlace & { isList: false; value: Members | undefined };

/** Returns the frame of a list or object that opens at `start`. */
export const openFrame = (isList: boolean, start: number): JsonFrame => ({
  isList,
  start,
  value: undefined,
  partStart: start + 1,
  groupStart: start + 1,
  colon: -1,
  long: undefined,
});

function listOf(frame: ListFrame): unknown[] {
  frame.value ??= [];
  return frame.value;
}

function membersOf(frame: ObjectFrame): Members {
  frame.value ??= {};
  return frame.value;
}

/** Returns the list or object of a frame, and creates it first if necessary. */
export const containerOf = (frame: JsonFrame): unknown[] | Members =>
  frame.isList ? listOf(frame) : membersOf(frame);

/** Adds a part. A list has no use for the key. */
export function addPart(frame: JsonFrame, key: string, value: unknown): void {
  if (frame.isList) listOf(frame).push(value);
  else define(membersOf(frame), key, value);
}

/** Parses whole parts of a list or object, and adds them. Throws a SyntaxError if there is none. */
export function addParts(frame: JsonFrame, text: string): void {
  const parts: unknown[] | Members = JSON.parse(frame.isList ? `[${text}]` : `{${text}}`);
  const entries = Object.entries(parts);
  if (entries.length === 0) throw new SyntaxError("Unexpected ','");
  for (const [key, part] of entries) addPart(frame, key, part);
}

/** Defines a member as an own property, whatever its name is. */
function define(members: Members, key: string, value: unknown): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
}
