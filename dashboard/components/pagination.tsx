import { queryValue, withQuery } from '../app/address.ts';
import { LinkButton } from './button.tsx';

type PaginationProps = {
  /** The cursor of the next page. The last page has no cursor. */
  next: string | null | undefined;
  /** The parameter of the address that keeps the cursor. */
  param?: string;
};

/** Links to the first and the next page of a long list. The back button leads to the page before. */
export function Pagination({ next, param = 'after' }: PaginationProps) {
  const isFirst = queryValue(param) === '';
  if (isFirst && !next) return null;
  return (
    <nav class="pagination" aria-label="Pages of the list">
      {!isFirst && <LinkButton href={withQuery({ [param]: null })}>First page</LinkButton>}
      {next && (
        <LinkButton href={withQuery({ [param]: next })} icon="right">
          Next page
        </LinkButton>
      )}
    </nav>
  );
}
