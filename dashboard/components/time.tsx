import { formatDateTime, formatRelative, formatSecond } from './format.ts';

/** A time, with the exact one as its title. */
export const Time = ({ at, isRelative = false }: { at: string | null | undefined; isRelative?: boolean }) =>
  at ? (
    <time dateTime={at} title={formatSecond(at)}>
      {isRelative ? formatRelative(at) : formatDateTime(at)}
    </time>
  ) : (
    <>–</>
  );
