import { useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Textarea } from '../../components/textarea.tsx';
import type { UserTurn } from './conversation.ts';
import { scaleImage } from './scale-image.ts';

type ComposerProps = {
  text: string;
  isRunning: boolean;
  /** A setting has a fault. */
  isBlocked: boolean;
  /** The model reads images. */
  canSee: boolean;
  onText: (text: string) => void;
  onSend: (turn: UserTurn) => void;
  onStop: () => void;
};

/** The next message, with images. Ctrl+Enter sends it. */
export function Composer({ text, isRunning, isBlocked, canSee, onText, onSend, onStop }: ComposerProps) {
  const [images, setImages] = useState<readonly string[]>([]);
  const [fault, setFault] = useState('');
  const canSend = !isRunning && !isBlocked && (text.trim() !== '' || images.length > 0);
  const send = () => {
    if (!canSend) return;
    onSend({ role: 'user', text: text.trim(), images });
    setImages([]);
  };
  const add = async (files: readonly File[]) => {
    setFault('');
    for (const file of files)
      await scaleImage(file).then(
        (url) => setImages((known) => [...known, url]),
        (error: Error) => setFault(error.message),
      );
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        send();
      }}
      onPaste={({ clipboardData }) => {
        const files = [...(clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
        if (canSee && files.length > 0) void add(files);
      }}
    >
      <Textarea label="Message" rows={3} value={text} onInput={onText} placeholder="Ask something" />
      <Images images={images} onRemove={(index) => setImages(images.filter((_, at) => at !== index))} />
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
