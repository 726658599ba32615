import type { ComponentChildren } from 'preact';
import { Icon } from '../../components/icon.tsx';

type StepProps = { title: string; isDone: boolean; children: ComponentChildren };

/** One of the first steps. */
export const Step = ({ title, isDone, children }: StepProps) => (
  <li class={isDone ? 'step done' : 'step'}>
    <h3>
      {title}
      {isDone && <Icon name="check" label=" (done)" />}
    </h3>
    {children}
  </li>
);
