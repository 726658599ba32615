import { itemText } from './item-text.ts';

/** An item of a conversation, in words where that is possible. Its JSON is one click away. */
export function ItemView({ item }: { item: unknown }) {
  const { title, text, isCode } = itemText(item);
  return (
    <li class="item">
      <p class="item-title">{title}</p>
      {text &&
        (isCode ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
          <pre tabIndex={0}>{text}</pre>
        ) : (
          <p class="item-text">{text}</p>
        ))}
      <details>
        <summary>JSON</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
        <pre tabIndex={0}>{JSON.stringify(item, null, 2)}</pre>
      </details>
    </li>
  );
}
