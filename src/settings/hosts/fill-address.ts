type Environment = Readonly<Record<string, string | undefined>>;

const PLACE = /\{([A-Z0-9_]+)(?::-([^}]*))?\}/g;

/** Fills environment variables into a host's address. Undefined: a variable is missing. Duplicate slashes at the joints are removed. */
export function fillAddress(template: string, environment: Environment): string | undefined {
  let isWhole = true;
  const filled = template.replace(PLACE, (_, name: string, otherwise?: string) => {
    const value = environment[name]?.replace(/\/+$/, '') || otherwise;
    if (value === undefined) isWhole = false;
    return value ?? '';
  });
  return isWhole ? filled : undefined;
}
