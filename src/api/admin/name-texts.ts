/** Control characters, line separators, and what turns the direction of text. */
const UNFIT = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
/** What nobody sees. */
const INVISIBLE = '\\s\\u200b-\\u200f\\u2060';

/** Names are shown in terminals and on pages, where some characters would act instead of being seen. */
export const NAME = {
  minLength: 1,
  maxLength: 200,
  pattern: `^[ \\u200e\\u200f]*[^${INVISIBLE}${UNFIT}][^${UNFIT}]*$`,
  expected: 'a name without control characters',
};

export const EMAIL = {
  maxLength: 200,
  pattern: `^ *[^@${INVISIBLE}${UNFIT}]+@[^@${INVISIBLE}${UNFIT}]+ *$`,
  expected: 'an email address',
};

type Texts = { name?: string | null; email?: string | null };

/** The fields of a body with its name and address trimmed. */
export const withTrimmedTexts = <Fields extends Texts>(fields: Fields): Fields => ({
  ...fields,
  ...(fields.name && { name: fields.name.trim() }),
  ...(fields.email && { email: fields.email.trim() }),
});
