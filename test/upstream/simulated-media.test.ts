import { afterAll, expect, test } from 'bun:test';
import { type Browser, chromium as playwright } from 'playwright-core';
import { PICTURE_FORMATS, pictureOf } from '../../src/simulator/media/picture.ts';
import { SOUND_FORMATS, soundOf } from '../../src/simulator/media/sound.ts';
import { soundSeconds } from '../../src/translation/sound/sound-seconds.ts';
import { chromium } from '../dashboard/support/chromium.ts';
import { isFull } from '../support/is-full.ts';

let browser: Browser | undefined;
afterAll(() => browser?.close());

const sounds = SOUND_FORMATS.filter((format) => format !== 'pcm').map((format) => ({
  format,
  bytes: Buffer.concat([...soundOf(format, 130)]),
}));

test('simulated sound has the length that its frames and samples add up to', async () => {
  for (const { format, bytes } of sounds) {
    const read = (at: number, length: number) => bytes.subarray(at, at + length);
    const { seconds, isMeasured } = await soundSeconds(
      { at: 0, byteLength: bytes.length },
      { byteLength: bytes.length, read },
    );
    expect([format, isMeasured, seconds >= 129.999 && seconds < 130.6]).toEqual([format, true, true]);
  }
});

test.skipIf(chromium === undefined || !isFull)(
  'a browser decodes all simulated images and sounds',
  async () => {
    browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox', '--disable-gpu'] });
    const page = await browser.newPage();
    const sizes = [
      { width: 1024, height: 1024 },
      { width: 37, height: 16 },
      { width: 350, height: 70 },
    ];
    const pictures = sizes.flatMap((size) =>
      PICTURE_FORMATS.flatMap((format) =>
        ['a', 'b', 'zz'].map((seed) => ({
          size,
          format,
          data: pictureOf(size, format, seed).toString('base64'),
        })),
      ),
    );
    await page.addScriptTag({ content: DECODERS });
    const seen = await page.evaluate(`sizesOf(${JSON.stringify(pictures)})`);
    expect(seen).toEqual(pictures.map(({ size }) => size));
    const data = sounds.map(({ bytes }) => bytes.toString('base64'));
    const lengths = await page.evaluate(`lengthsOf(${JSON.stringify(data)})`);
    for (const length of lengths as number[]) expect(length).toBeWithin(129.9, 130.6);
  },
  60_000,
);

/** Functions of the page. */
const DECODERS = `
  const bytesOf = (data) => Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const sizesOf = (pictures) =>
    Promise.all(
      pictures.map(async ({ format, data }) => {
        const { width, height } = await createImageBitmap(new Blob([bytesOf(data)], { type: 'image/' + format }));
        return { width, height };
      }),
    );
  const lengthsOf = (sounds) =>
    Promise.all(
      sounds.map(async (data) => {
        const context = new OfflineAudioContext(1, 1, 24000);
        return (await context.decodeAudioData(bytesOf(data).buffer)).duration;
      }),
    );
`;
