import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Environment } from '../../base/lib/environment.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { type FilePlaceholder, replacePlaceholders, type VariablePlaceholder } from './placeholder.ts';
import { readSecretFile } from './secret-file.ts';

export type Interpolated = {
  text: string;
  /** True if the text contained a placeholder. */
  isChanged: boolean;
  /** True if the whole text was a single placeholder. */
  isWhole: boolean;
  problems: string[];
};

/** The text that replaces a placeholder, and what prevents the use of the configuration. */
type Filled = { value: string; problem?: string };

// biome-ignore lint/suspicious/noTemplateCurlyInString: the message speaks of placeholders
const MALFORMED = 'has a placeholder that is neither ${NAME}, ${NAME:-default} nor ${file:/path}';

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `${file:/path}`, and `$${` by `${`. The default applies if the
 * variable is unset or empty.
 */
export function interpolate(source: string, environment: Environment): Interpolated {
  const problems: string[] = [];
  let count = 0;
  let isChanged = false;
  const text = replacePlaceholders(source, (placeholder) => {
    count++;
    if (placeholder.kind === 'escape') return placeholder.shown;
    isChanged = true;
    const { value, problem } =
      placeholder.kind === 'file' ? fillFromFile(placeholder) : fillFromVariable(placeholder, environment);
    if (problem !== undefined) problems.push(problem);
    return value;
  });
  const remaining = replacePlaceholders(source, () => '');
  if (remaining.includes('${')) problems.push(MALFORMED);
  return { text, isChanged, isWhole: isChanged && count === 1 && remaining === '', problems };
}

function fillFromFile({ path, source }: FilePlaceholder): Filled {
  const content = unlessUnavailable(() => readSecretFile(path, source));
  return content instanceof Unavailable ? unreadable(content) : { value: content };
}

function fillFromVariable({ name, fallback }: VariablePlaceholder, environment: Environment): Filled {
  const variable = unlessUnavailable(() => environment[name]);
  if (variable instanceof Unavailable) return unreadable(variable);
  const value = variable || fallback;
  if (fallback?.includes('${'))
    return { value: value ?? '', problem: `has a placeholder in the default of \${${name}}` };
  if (variable !== undefined || value !== undefined) return { value: value ?? '' };
  const hint = didYouMean(name, Object.keys(environment));
  const problem = `needs the environment variable ${name}, which is not set and has no default${hint}`;
  return { value: '', problem };
}

const unreadable = ({ message }: Unavailable): Filled => ({
  value: '',
  problem: `cannot be filled in: ${message}`,
});

/** Returns a value, or the reason why its file cannot be read. */
function unlessUnavailable<Value>(read: () => Value): Value | Unavailable {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unavailable) return error;
    throw error;
  }
}
