type NamedProps = {
  /** Undefined or null if the thing has no name, or if its name is not known yet. */
  name: string | null | undefined;
  id?: string | undefined;
  href?: string | undefined;
};

/** A thing by its name, with its id below. Both are cut where they do not fit, and whole on hover. */
export function Named({ name, id, href }: NamedProps) {
  const text = name ?? id ?? '–';
  const isNamed = name !== null && name !== undefined;
  return (
    <span class="titled">
      {href ? (
        <a class="cut" href={href} title={text}>
          {text}
        </a>
      ) : (
        <Cut>{text}</Cut>
      )}
      {isNamed && id !== undefined && (
        <code class="cut" title={id}>
          {id}
        </code>
      )}
    </span>
  );
}

/** A text that is cut where it does not fit, and whole on hover. */
export const Cut = ({ children: text }: { children: string }) => (
  <span class="cut" title={text}>
    {text}
  </span>
);
