type Environment = Readonly<Record<string, string | undefined>>;

const PLACE = /\{([A-Z0-9_]+)(?::-([^}]*))?\}/g;

/** A host's address with what the environment says of it; undefined where something is missing. Slashes at joints count once. */
export function fillAddress(template: string, environment: Environment): string | undefined {
  let isWhole = true;
  const filled = template.replace(PLACE, (_, name: string, otherwise?: string) => {
    const value = environment[name]?.replace(/\/+$/, '') || otherwise;
    if (value === undefined) isWhole = false;
    return value ?? '';
  });
  return isWhole ? filled : undefined;
}
