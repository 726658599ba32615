import { useEffect, useState } from 'preact/hooks';
import type { PromptContent } from '../../../src/console/dashboard/prompt-schema.ts';
import type { RequestContentView, RequestDetail } from '../../../src/console/dashboard/request-schema.ts';
import { queryValue, setQuery } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { dialectOfRoute } from '../../app/chat-endpoints.ts';
import { asProblem, Problem } from '../../app/problem.ts';
import { inOrganization } from '../../app/session.ts';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { type ReadRequest, readRequest } from './read-request.ts';

/** Shows the request of the address on this page, if its content is kept. */
export function OpenedRequest({ onOpen }: { onOpen: (content: PromptContent) => void }) {
  const id = queryValue('from');
  const [problem, setProblem] = useState<Problem>();
  const [dropped, setDropped] = useState<readonly string[]>([]);
  useEffect(() => {
    if (id === '') return;
    setProblem(undefined);
    let isOutdated = false;
    readKept(id).then(
      (opened) => {
        if (isOutdated) return;
        setDropped(opened.dropped);
        onOpen(opened.content);
      },
      (error: unknown) => {
        if (isOutdated) return;
        setProblem(asProblem(error));
        setQuery({ from: null });
      },
    );
    return () => {
      isOutdated = true;
    };
  }, [id]);
  if (problem) return <ProblemNotice problem={problem} />;
  if (dropped.length === 0) return null;
  return (
    <Notice kind="warning" title="Parts of the request are not on this page">
      The playground does not have these members: <code>{dropped.join(', ')}</code>.
    </Notice>
  );
}

/** Reads the body of a request whose content is kept. Throws a `Problem` if the page cannot show it. */
async function readKept(id: string): Promise<ReadRequest> {
  const path = inOrganization(`/requests/${encodeURIComponent(id)}`)!;
  const [{ request }, { content }] = await Promise.all([
    call<RequestDetail>('GET', path),
    call<RequestContentView>('GET', `${path}/content`),
  ]);
  if (!request || !content || content.withheld || content.request_cut)
    throw unreadable('The whole content of this request is not kept.');
  const dialect = dialectOfRoute(request.route);
  if (!dialect) throw unreadable('Only requests for a chat can be opened in the playground.');
  try {
    return readRequest(dialect, content.request, request);
  } catch {
    throw unreadable('The kept content of this request is not valid JSON.');
  }
}

const unreadable = (message: string): Problem => new Problem({ status: 0, code: 'not_kept', message });
