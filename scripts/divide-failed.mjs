// Divides a failed job into the files to run again and those whose results stay.
import { separate } from './test-files.mjs';

/**
 * Files without a failed test keep their results, if the output has every test below its file. Otherwise the
 * fault can be that of any file, and all run again.
 */
export function divideFailed(job) {
  const repeated = (result) => ({ ...result, firstFaults: job.faults });
  if (job.command) return { again: [repeated(job)], kept: [] };
  const jobs = separate(job);
  const faulty = new Set(job.faults.map(({ file }) => file));
  const isFaulty = ({ files: [file] }) => faulty.has(file);
  if (!job.byFile || !jobs.some(isFaulty)) return { again: jobs.map(repeated), kept: [] };
  const kept = jobs
    .filter((part) => !isFaulty(part))
    .map((part) => ({ ...part, ...countsOf(part), faults: [] }));
  return { again: jobs.filter(isFaulty).map(repeated), kept };
}

const countsOf = ({ byFile, files: [file] }) => ({ passed: 0, failed: 0, skipped: 0, ...byFile[file] });
