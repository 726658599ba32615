import { useEffect, useState } from 'preact/hooks';
import type { ResponseItems } from '../../../src/console/dashboard/response-schema.ts';
import { withParameters } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { ItemView } from './item-view.tsx';

type ShownItems = { items: readonly unknown[]; next: string | null; isCut: boolean };

/** Shows the input of the model, from the first turn on. More is loaded on request. */
export function InputItems({ path, instructions }: { path: string; instructions: string | null }) {
  const [shown, setShown] = useState<ShownItems>();
  const { run, isRunning, problem } = useAction(async (after: string | null) => {
    const page = await call<ResponseItems>('GET', withParameters(`${path}/items`, { after }));
    setShown((old) => ({
      items: [...(old?.items ?? []), ...page.data],
      next: page.has_more ? page.last_id : null,
      isCut: page.is_cut || (old?.isCut ?? false),
    }));
  });
  useEffect(() => void run(null), [path]);
  return (
    <Section title="Input" lead="All input of the model, from the first turn.">
      {!shown && !problem && <Skeleton lines={4} />}
      {shown && (
        <ol class="items">
          {instructions && (
            <ItemView item={{ type: 'message', role: 'instructions', content: instructions }} />
          )}
          {shown.items.map((item, index) => (
            <ItemView key={index} item={item} />
          ))}
        </ol>
      )}
      {problem && (
        <ProblemNotice
          problem={problem}
          actions={<Button onClick={() => void run(shown?.next ?? null)}>Try again</Button>}
        />
      )}
      {shown?.next && (
        <Button isRunning={isRunning} onClick={() => void run(shown.next)}>
          Load more
        </Button>
      )}
      {shown?.isCut && <p class="soft">Long texts and images are cut.</p>}
    </Section>
  );
}
