import { useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Textarea } from '../../components/textarea.tsx';
import { scaleImage } from './scale-image.ts';

type ComposerProps = {
  text: string;
  /** Data URLs. */
  images: readonly string[];
  isRunning: boolean;
  canSend: boolean;
  /** True if the model reads images. */
  canSee: boolean;
  onText: (text: string) => void;
  onImages: (change: (urls: readonly string[]) => readonly string[]) => void;
  onSend: () => void;
  onStop: () => void;
};

/** The next message, with images. Ctrl+Enter sends it. */
export function Composer(props: ComposerProps) {
  const { text, images, isRunning, canSend, canSee, onText, onImages, onSend, onStop } = props;
  const [fault, setFault] = useState('');
  const add = async (files: readonly File[]) => {
    setFault('');
    for (const file of files)
      await scaleImage(file).then(
        (url) => onImages((urls) => [...urls, url]),
        (error: Error) => setFault(error.message),
      );
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onSend();
      }}
      onPaste={({ clipboardData }) => {
        const files = [...(clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
        if (canSee && files.length > 0) void add(files);
      }}
    >
      <Textarea label="Message" rows={3} value={text} onInput={onText} placeholder="Type a message" />
      <Images
        images={images}
        onRemove={(index) => onImages((urls) => urls.filter((_, position) => position !== index))}
      />
      {fault && (
        <Notice kind="error" isAlert>
          {fault}
        </Notice>
      )}
      <div class="composer-line">
        {isRunning ? (
          <Button kind="danger" icon="close" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" kind="primary" icon="right" isDisabled={!canSend}>
            Send
          </Button>
        )}
        {canSee && <ImagePicker onPick={(files) => void add(files)} />}
        <span class="soft composer-hint">Ctrl+Enter sends</span>
      </div>
    </form>
  );
}

const Images = ({ images, onRemove }: { images: readonly string[]; onRemove: (index: number) => void }) =>
  images.length === 0 ? null : (
    <ul class="composer-images" aria-label="Attached images">
      {images.map((url, index) => (
        <li key={index}>
          <img src={url} alt={`Attached, number ${index + 1}`} />
          <IconButton icon="close" label={`Remove image ${index + 1}`} onClick={() => onRemove(index)} />
        </li>
      ))}
    </ul>
  );

function ImagePicker({ onPick }: { onPick: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        class="hidden"
        accept="image/*"
        multiple
        tabIndex={-1}
        aria-label="Images"
        onChange={({ currentTarget }) => {
          onPick([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <Button icon="plus" onClick={() => input.current?.click()}>
        Add images
      </Button>
    </>
  );
}
