import type { MaybeLater } from '../lib/maybe-later.ts';

/** The bytes of a form's files, in memory or on the disk, until a route has answered. */
export type KeptBytes = {
  readonly byteLength: number;
  /** Returns up to `length` bytes from `at` on. Fails after the bytes are released. */
  read(at: number, length: number): MaybeLater<Uint8Array>;
};

export type FormText = { name: string; text: string; type: string | undefined };
/** A file. `at` is its place in the kept bytes. */
export type FormFile = {
  name: string;
  filename: string;
  type: string | undefined;
  at: number;
  byteLength: number;
};
export type FormPart = FormText | FormFile;

/** A form that has arrived, with its parts in the client's order. */
export type Form = {
  readonly parts: readonly FormPart[];
  readonly content: KeptBytes;
  /** The length of its sound, if the endpoint is for sound. */
  readonly sound?: SoundLength | undefined;
};

/** `isMeasured` is false if the length is only a bound by the size of the file. */
export type SoundLength = { seconds: number; isMeasured: boolean };

export const isFile = (part: FormPart): part is FormFile => 'filename' in part;

/** Yields the bytes of a file in pieces of at most `length`. */
export async function* bytesOf(
  { at, byteLength }: FormFile,
  bytes: KeptBytes,
  length: number,
): AsyncGenerator<Uint8Array> {
  for (let read = 0; read < byteLength; ) {
    const piece = await bytes.read(at + read, Math.min(length, byteLength - read));
    if (piece.byteLength === 0) throw new Error('the kept file is shorter than what arrived');
    read += piece.byteLength;
    yield piece;
  }
}

/** Returns the form without the parts of these names. */
export const withoutParts = (form: Form, names: ReadonlySet<unknown>): Form => ({
  ...form,
  parts: form.parts.filter(({ name }) => !names.has(name)),
});
