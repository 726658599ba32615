import { readSource, sourceFiles } from './source-files.ts';

/** Returns the titles of all documents, by their places. */
export const pageTitles = (): Map<string, string> =>
  new Map(
    sourceFiles()
      .filter(({ place }) => place.endsWith('.md'))
      .map(({ source, place }) => [place, /^# (.*)$/m.exec(readSource(source))?.[1] ?? place]),
  );
