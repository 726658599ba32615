import { signal } from '@preact/signals';
import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorState } from '../components/error-state.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { path } from './address.ts';
import type { FoundPage, PageProps } from './page.ts';
import { asProblem, Problem } from './problem.ts';

/** The pages that were opened before. They are shown without a skeleton. */
const loaded = signal<ReadonlyMap<string, ComponentType<PageProps>>>(new Map());

/** Loads a page and shows it. */
export function PageView({ page, params }: FoundPage) {
  const [problem, setProblem] = useState<Problem>();
  const Shown = loaded.value.get(page.path);
  useEffect(() => {
    document.title = `${page.title} · Tollgate`;
    if (loaded.peek().has(page.path)) return;
    page
      .load()
      .then((component) => {
        loaded.value = new Map(loaded.peek()).set(page.path, component);
      })
      .catch(() => setProblem(outdatedPage()));
  }, [page]);
  if (problem) return <ErrorState problem={problem} onRetry={() => location.reload()} />;
  if (!Shown) return <Skeleton lines={8} hasTitle />;
  return (
    <PageBoundary key={path.value}>
      <FocusOnTitle />
      <Shown params={params} />
    </PageBoundary>
  );
}

/** A server of another version lacks the files of an older page. */
const outdatedPage = (): Problem =>
  new Problem({
    status: 0,
    code: 'page_not_loaded',
    message: 'The server cannot be reached, or it was updated. Try again, or reload the page.',
  });

/** False after the first page. There the browser decides where the focus is. */
let isFirstPage = true;

/** After a navigation the focus moves to the title of the new page, so that screen readers say it. */
function FocusOnTitle() {
  useEffect(() => {
    const isFirst = isFirstPage;
    isFirstPage = false;
    if (isFirst) return;
    // A menu that closes gives the focus back to its button first.
    const timer = setTimeout(() =>
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }),
    );
    return () => clearTimeout(timer);
  }, []);
  return null;
}

/** Shows a failure of a page in its place. The navigation stays usable. */
class PageBoundary extends Component<{ children: ComponentChildren }, { problem?: Problem }> {
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ problem: asProblem(error) });
  }

  override render() {
    const { problem } = this.state;
    if (!problem) return this.props.children;
    return <ErrorState problem={problem} onRetry={() => this.setState({ problem: undefined })} />;
  }
}
