/** Amazon Bedrock writes this before the error of a model's maker. */
const PREFIX = /^The model returned the following errors: /;

/** Removes the prefix and the envelope in which a host passes on the error of a model's maker. */
export function unwrapMessage(message: string): string {
  const inner = message.trim().replace(PREFIX, '');
  if (!inner.startsWith('{')) return inner;
  try {
    const { error, message: own } = JSON.parse(inner) as { error?: { message?: unknown }; message?: unknown };
    return String(error?.message ?? own ?? '');
  } catch {
    return inner;
  }
}
