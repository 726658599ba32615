/** Control characters, line separators and characters that change the text direction. */
const UNFIT = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
/** Invisible characters, with the empty pattern of Braille, which Unicode counts as a symbol. */
const INVISIBLE = '\\s\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\u2800';

/** A name. It must not contain characters that would act on the terminal or page that displays it. */
export const NAME = {
  minLength: 1,
  maxLength: 200,
  pattern: `^[ \\u200e\\u200f]*[^${INVISIBLE}${UNFIT}][^${UNFIT}]*$`,
  expected: 'a name without control characters',
};

const ADDRESS_PATTERN = `[^@${INVISIBLE}${UNFIT}]+@[^@${INVISIBLE}${UNFIT}]+`;

/** An email address. It can have spaces around it, which are trimmed. */
export const EMAIL = {
  maxLength: 200,
  pattern: `^ *${ADDRESS_PATTERN} *$`,
  expected: 'an email address',
};

/** An email address without spaces around it. */
export const ADDRESS = { ...EMAIL, pattern: `^${ADDRESS_PATTERN}$` };

type Texts = { name?: string | null; email?: string | null };

/** Trims the name and the email address of a body. */
export const withTrimmedTexts = <Fields extends Texts>(fields: Fields): Fields => ({
  ...fields,
  ...(fields.name && { name: fields.name.trim() }),
  ...(fields.email && { email: fields.email.trim() }),
});
