import { formatDateTime, formatDateTimeToSecond, formatRelative } from './format-time.ts';

/** A time, with the exact one as its title. Logs have it in UTC. */
export const Time = ({ at, isRelative = false }: { at: string | null | undefined; isRelative?: boolean }) =>
  at ? (
    <time dateTime={at} title={`${formatDateTimeToSecond(at)} (${at.slice(0, 19)}Z)`}>
      {isRelative ? formatRelative(at) : formatDateTime(at)}
    </time>
  ) : (
    <>–</>
  );
