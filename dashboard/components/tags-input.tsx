import { Input } from './input.tsx';

/** The tags of a key, with commas between. */
export const TagsInput = ({ tags = [] }: { tags?: readonly string[] | undefined }) => (
  <Input
    name="tags"
    label="Tags"
    value={tags.join(', ')}
    placeholder="team-a, nightly"
    hint="Up to 8, with commas between. All requests of the key have them."
  />
);
