type SkeletonProps = { lines?: number; hasTitle?: boolean };

/** Replaces content that is on its way. Give it as many lines as will come. */
export const Skeleton = ({ lines = 3, hasTitle = false }: SkeletonProps) => (
  <div class="skeleton" role="status">
    <span class="hidden">Loading</span>
    {hasTitle && <span class="skeleton-title" />}
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton-line" />
    ))}
  </div>
);
