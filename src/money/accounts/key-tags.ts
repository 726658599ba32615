/** The most tags of a key, and of the header of a request. */
export const MAX_TAGS = 8;
/** The most characters of a tag. */
export const TAG_LENGTH = 64;

/** Control characters, line separators and characters that change the text direction. */
const UNFIT = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
/** A tag has neither commas, which separate tags, nor unprintable characters. */
export const TAG_PATTERN = `^[^,\\s${UNFIT}][^,${UNFIT}]*$`;
