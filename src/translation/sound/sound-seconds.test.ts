import { expect, test } from 'bun:test';
import type { Json } from '../../../test/support/call.ts';
import { boundOfBytes } from './bound-of-bytes.ts';
import { soundSeconds } from './sound-seconds.ts';

/** The file begins at an odd place, and is read in pieces that the reader asks for. */
async function lengthOf(bytes: Buffer) {
  const ahead = Buffer.from('other file');
  const all = Buffer.concat([ahead, bytes, Buffer.from('next')]);
  const kept = {
    byteLength: all.length,
    read: (at: number, length: number) => all.subarray(at, at + length),
  };
  return soundSeconds({ at: ahead.length, byteLength: bytes.length }, kept);
}
const measured = async (bytes: Buffer) => {
  const { seconds, isMeasured } = await lengthOf(bytes);
  return isMeasured ? Math.round(seconds * 1_000) / 1_000 : 'unknown';
};

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const zeros = (length: number) => Buffer.alloc(length);
const repeat = (piece: Buffer, times: number) => Buffer.concat(Array.from({ length: times }, () => piece));

function wav(seconds: number, { rate = 16_000, claimed = seconds, before = Buffer.alloc(0), tag = 1 } = {}) {
  const format = Buffer.alloc(24);
  format.write('fmt ');
  format.writeUInt32LE(16, 4);
  format.writeUInt16LE(tag, 8);
  format.writeUInt16LE(1, 10);
  format.writeUInt32LE(rate, 12);
  format.writeUInt32LE(rate * 2, 16);
  format.writeUInt16LE(2, 20);
  format.writeUInt16LE(16, 22);
  const data = Buffer.alloc(8 + seconds * rate * 2);
  data.write('data');
  data.writeUInt32LE(claimed * rate * 2, 4);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), before, format, data]);
}

test('measures a wave file by its bytes, whatever it claims', async () => {
  expect(await measured(wav(10))).toBe(10);
  expect(await measured(wav(10, { claimed: 1 }))).toBe(10);
  expect(await measured(wav(2, { before: Buffer.from('LIST\x03\0\0\0abc\0') }))).toBe(2);
  expect(await measured(wav(1, { tag: 0x11 }))).toBe('unknown');
  expect(await measured(wav(10, { rate: 4_000_000 }))).toBe(52.083); // 80 MB are more than 10 s of any sound
  expect(await measured(Buffer.from('RIFF\0\0\0\0WAVEfmt '))).toBe('unknown');
});

test('takes the format of a wave file that sounds longest, and no format that decoders read in another way', async () => {
  const format = (tag: number, bits: number, { rate = 8_000, extra = '' } = {}) => {
    const head = Buffer.from(wav(0, { rate, tag }).subarray(12, 36));
    const more = Buffer.from(extra, 'hex');
    head.writeUInt32LE(16 + more.length, 4);
    head.writeUInt32LE((rate * bits) / 8, 16);
    head.writeUInt16LE(bits / 8, 20);
    head.writeUInt16LE(bits, 22);
    return Buffer.concat([head, more]);
  };
  const file = (...formats: Buffer[]) =>
    Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), ...formats, Buffer.from('data\0\0\0\0'), zeros(80_000)]);
  expect(await measured(file(format(1, 8), format(1, 32, { rate: 192_000 })))).toBe(10);
  expect(await measured(file(format(1, 8), format(0x11, 8)))).toBe('unknown');
  expect(await measured(file(format(7, 8)))).toBe(10);
  expect(await measured(file(format(7, 32)))).toBe('unknown'); // decoders read µ-law at 8 bits
  const extended = (tag: string) => format(0xfffe, 16, { extra: `1600100000000000${tag}` });
  expect(await measured(file(extended('0100')))).toBe(5);
  expect(await measured(file(extended('5500')))).toBe('unknown'); // MP3
});

/** A frame of 128 kbit/s at 44,100 Hz. */
const mp3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);

test('measures an MP3 file by its frames, past tags, covers and stray bytes', async () => {
  expect(await measured(repeat(mp3, 1_000))).toBe(26.122);
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\x02\0\0', 'latin1'), Buffer.alloc(32_768, 0xff)]);
  expect(await measured(Buffer.concat([tag, repeat(mp3, 1_000), Buffer.from(`TAG${' '.repeat(125)}`)]))).toBe(
    26.122,
  );
  // A frame that claims one second in its Xing header is a frame like any other.
  const xing = Buffer.from(mp3);
  xing.write('Xing\0\0\0\x01\0\0\0\x26', 36, 'latin1');
  expect(await measured(Buffer.concat([xing, repeat(mp3, 20_000)]))).toBe(522.475);
  const stray = Buffer.concat([mp3, Buffer.alloc(10_000_000)]);
  expect((await lengthOf(stray)).seconds).toBeGreaterThan(boundOfBytes(9_900_000));
  expect(await measured(Buffer.concat([tag, Buffer.alloc(1_000)]))).toBe('unknown');
  const other = Buffer.concat([mp3, Buffer.alloc(60_000)]);
  expect((await lengthOf(other)).seconds).toBeGreaterThan(boundOfBytes(56_000));
});

test('measures AAC by its frames', async () => {
  const frame = Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x0c, 0x9f, 0xfc]), Buffer.alloc(93)]);
  expect(await measured(repeat(frame, 5_000))).toBe(116.1);
});

function flac(frames: number, claimed: number) {
  const info = Buffer.alloc(34);
  info.writeUIntBE((44_100 << 4) | 2, 10, 3);
  info[13] = 0xf0;
  info.writeUInt32BE(claimed, 14);
  const head = Buffer.from([0xff, 0xf8, 0xc9, 0x18, 0x00]);
  let crc = 0;
  for (const byte of head) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 7 : 0)) & 0xff;
  }
  const frame = Buffer.concat([head, Buffer.from([crc]), Buffer.alloc(50, 0xff)]);
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, repeat(frame, frames)]);
}

test('measures a FLAC file by its frames, whatever number of samples it claims', async () => {
  expect(await measured(flac(1_000, 4_096_000))).toBe(92.88);
  expect(await measured(flac(20_000, 44_100))).toBe(1857.596);
});

function oggPage(packets: Buffer[], granule = 0, { flags = 0, serial = 0 } = {}) {
  const head = Buffer.alloc(27);
  head.write('OggS');
  head[5] = flags;
  head.writeBigInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(serial, 14);
  const sizes = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  head[26] = sizes.length;
  return Buffer.concat([head, Buffer.from(sizes), ...packets]);
}

test('measures Opus in Ogg by its packets, and Vorbis by its position unless its packets hold far more', async () => {
  const heads = [oggPage([Buffer.from('OpusHead\x01\x01')]), oggPage([Buffer.from('OpusTags and more')])];
  const packet = Buffer.concat([Buffer.from([0x48]), Buffer.alloc(299)]); // 20 ms of SILK
  const page = oggPage([packet, packet, packet], 48_000);
  expect(await measured(Buffer.concat([...heads, repeat(page, 1_000)]))).toBe(60);
  const vorbis = Buffer.alloc(30);
  vorbis.write('\x01vorbis', 'latin1');
  vorbis.writeUInt32LE(44_100, 12);
  vorbis[28] = 0xb8;
  const sound = (granule: number) =>
    Buffer.concat([oggPage([vorbis]), repeat(oggPage([packet, packet], granule), 1_000)]);
  expect(await measured(sound(44_100 * 40))).toBe(40);
  expect(await measured(sound(44_100))).toBe(46.463);
});

test('measures all streams of an Ogg file, past stray bytes and within damaged pages', async () => {
  const head = oggPage([Buffer.from('OpusHead\x01\x01')]);
  const page = oggPage([Buffer.concat([Buffer.from([0x48]), zeros(299)])]);
  const sound = repeat(page, 1_000);
  expect(await measured(Buffer.concat([head, page, Buffer.from('x'), sound]))).toBe(20.02);
  const hidden = Buffer.concat([zeros(1), repeat(page, 30)]);
  // Decoders skip the damaged page.
  expect(await measured(Buffer.concat([head, oggPage([hidden])]))).toBe(0.61);
  expect(
    (await lengthOf(Buffer.concat([head, zeros(70_000), Buffer.from('OggS'.repeat(5_000))]))).seconds,
  ).toBe(boundOfBytes(head.length + 90_000));
  const vorbis = zeros(30);
  vorbis.write('\x01vorbis', 'latin1');
  vorbis.writeUInt32LE(0xffff_ffff, 12);
  const other = { serial: 7 };
  const second = [oggPage([Buffer.from('OpusHead\x01\x01')], 0, other), oggPage([zeros(9)], 0, other)];
  expect(await measured(Buffer.concat([oggPage([vorbis]), ...second, sound]))).toBe(0.01);
  const real = repeat(oggPage([Buffer.concat([Buffer.from([0x48]), zeros(299)])], 0, other), 1_000);
  expect(await measured(Buffer.concat([oggPage([vorbis]), second[0]!, real]))).toBe(20);
  expect(await measured(Buffer.concat([head, oggPage([Buffer.from('fishead')], 0, other), sound]))).toBe(
    'unknown',
  );
});

const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type), body]);
};

function track(kind: string, form: Json = {}) {
  const { samples = 1_000, delta = 1_024, extra = zeros(0), codec = 'mp4a', sizes = 'stsz' } = form;
  const entry = Buffer.concat([zeros(24), u32((44_100 << 16) >>> 0), form.config ?? zeros(0)]);
  const tables = box(
    'stbl',
    box('stsd', zeros(4), u32(1), box(codec, entry)),
    box('stts', zeros(4), u32(1), u32(samples), u32(delta)),
    box(sizes, zeros(8), u32(samples)),
  );
  const media = box(
    'mdia',
    box('mdhd', zeros(12), u32(44_100), u32(1)),
    box('hdlr', zeros(8), Buffer.from(kind)),
    box('minf', box('hdlr', zeros(8), Buffer.from('alis')), tables),
  );
  return box('trak', box('tkhd', zeros(12), u32(7)), media, extra);
}
const mp4 = (...content: Buffer[]) => Buffer.concat([box('ftyp', Buffer.from('M4A ')), ...content]);

test('measures an MP4 file by the samples of its sound track, at either end and in fragments', async () => {
  expect(await measured(mp4(box('moov', track('soun')), box('mdat', zeros(500_000))))).toBe(23.22);
  expect(
    await measured(
      mp4(box('mdat', zeros(500_000)), box('moov', track('vide', { samples: 9_000 }), track('soun'))),
    ),
  ).toBe(23.22);
  expect(await measured(mp4(box('moov', track('soun', { delta: 1 }))))).toBe(23.22); // the table claims 23 ms
  const fragment = box('moof', box('traf', box('tfhd', zeros(4), u32(7)), box('trun', zeros(4), u32(100))));
  const empty = track('soun', { samples: 0 });
  expect(await measured(mp4(box('moov', empty), repeat(fragment, 50)))).toBe(116.1);
  expect(await measured(mp4(box('moov', track('vide'))))).toBe('unknown');
  let nested = zeros(8);
  for (let depth = 0; depth < 2_000; depth++) nested = box('mdia', nested);
  expect(await measured(mp4(box('moov', box('trak', nested))))).toBe('unknown');
});

test('takes no claim of an MP4 file that makes its sound seem shorter', async () => {
  const seconds = (...tracks: Buffer[]) => measured(mp4(box('moov', ...tracks)));
  expect(await seconds(track('soun', { delta: 1, sizes: 'stz2' }))).toBe(23.22);
  expect(await seconds(track('soun'), track('soun', { samples: 1 }))).toBe(23.22); // both have the same id
  const config = (object: number, aac: string) =>
    box(
      'esds',
      Buffer.from(
        `000000000319000000 0411${object.toString(16)}${'00'.repeat(12)}0502${aac}`.replace(' ', ''),
        'hex',
      ),
    );
  expect(await seconds(track('soun', { config: config(0x40, '1208') }))).toBe(23.22);
  expect(await seconds(track('soun', { delta: 1, config: config(0x40, '1588') }))).toBe(128); // 8 kHz
  expect(await seconds(track('soun', { config: config(0x6b, '1208') }))).toBe('unknown'); // MP3
  expect(await seconds(track('soun', { codec: '.mp3' }))).toBe('unknown');
  const again = (codec: string) => {
    const entry = Buffer.concat([zeros(24), u32((44_100 << 16) >>> 0)]);
    const table = box('stsd', zeros(4), u32(1), box(codec, entry));
    return box('mdia', box('minf', box('stbl', table)));
  };
  const slow = { delta: 1, config: config(0x40, '1588') };
  expect(await seconds(track('soun', { ...slow, extra: again('mp4a') }))).toBe(128);
  expect(await seconds(track('soun', { ...slow, extra: again('alac') }))).toBe('unknown');
  expect(await seconds(track('soun', { config: Buffer.from('esds'.repeat(1_000)) }))).toBe('unknown');
  expect(await seconds(...Array.from({ length: 1_001 }, () => track('soun')))).toBe('unknown');
});

const element = (id: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(id, 'hex'),
    Buffer.from([0x10 | (content.length >>> 24)]),
    u32(content.length).subarray(1),
    content,
  ]);

function webm(codec: string, cluster: (at: number) => Buffer[], clusters: number) {
  const entry = element(
    'ae',
    Buffer.concat([
      element('d7', Buffer.from([1])),
      element('83', Buffer.from([2])),
      element('86', Buffer.from(codec)),
    ]),
  );
  const all = Array.from({ length: clusters }, (_, at) =>
    Buffer.concat([
      Buffer.from('1f43b67501ffffffffffffff', 'hex'),
      element('e7', u32(at * 1_000)),
      ...cluster(at),
    ]),
  );
  return Buffer.concat([
    element('1a45dfa3', Buffer.from([0x42, 0x86, 0x81, 0x01])),
    Buffer.from('1853806701ffffffffffffff', 'hex'), // of unknown size, as browsers record
    element('1654ae6b', entry),
    ...all,
  ]);
}

test('measures WebM by its Opus packets, even within live recordings of unknown size', async () => {
  const packet = Buffer.from([0x81, 0, 0, 0x80, 0x78, 1, 2, 3]); // 20 ms of CELT
  const blocks = () => Array.from({ length: 50 }, () => element('a3', packet));
  expect(await measured(webm('A_OPUS', blocks, 60))).toBe(60);
  expect(await measured(webm('A_VORBIS', blocks, 60))).toBe(60);
});

test('measures WebM past damaged elements, and blocks of many frames by their bytes', async () => {
  const packet = Buffer.from([0x81, 0, 0, 0x80, 0x78, 1, 2, 3]);
  const [block, lost] = [element('a3', packet), Buffer.from([0x00])];
  // The time of the last cluster.
  expect(await measured(webm('A_OPUS', () => [block, lost], 1_000))).toBe(999);
  const still = (piece: Buffer) =>
    measured(Buffer.concat([webm('A_OPUS', () => [block], 1), piece, repeat(cluster, 100)]));
  const cluster = Buffer.concat([Buffer.from('1f43b67501ffffffffffffff', 'hex'), block]);
  expect(await still(lost)).toBe(2.02);
  expect(await still(Buffer.from('ec10ffffff', 'hex'))).toBe(2.02); // an element longer than the file
  const long = Buffer.concat([packet.subarray(0, 4), zeros(60_000)]);
  expect(await measured(webm('A_MPEG/L3', () => [element('a3', long)], 1))).toBeCloseTo(
    boundOfBytes(60_004),
    2,
  );
  const twice = (more: Buffer) => {
    const file = webm('A_OPUS', () => [element('a3', long)], 1);
    const at = file.indexOf(Buffer.from('1f43b675', 'hex'));
    return measured(Buffer.concat([file.subarray(0, at), more, file.subarray(at)]));
  };
  const entry = [
    element('d7', Buffer.from([1])),
    element('83', Buffer.from([2])),
    element('86', Buffer.from('A_AAC')),
  ];
  expect(await twice(element('ae', Buffer.concat(entry)))).toBeCloseTo(boundOfBytes(60_004), 2);
});

test('takes files of no known kind at four hours for 25 MB', async () => {
  expect(await lengthOf(Buffer.alloc(26_214_400, 'x'))).toEqual({ seconds: 14_400, isMeasured: false });
});

test('reads every beginning of each kind of file, and any change of a byte, without an error', async () => {
  const files = [
    wav(1),
    repeat(mp3, 3),
    flac(3, 1),
    mp4(box('moov', track('soun'))),
    webm('A_OPUS', () => [element('a3', Buffer.alloc(9))], 2),
    oggPage([Buffer.from('OpusHead'), Buffer.alloc(9)]),
  ];
  for (const file of files) {
    for (let at = 0; at < Math.min(file.length, 400); at++) {
      expect((await lengthOf(file.subarray(0, at))).seconds).toBeGreaterThanOrEqual(0);
      for (const byte of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(file);
        changed[at] = byte;
        expect((await lengthOf(changed)).seconds).toBeGreaterThan(0);
      }
    }
  }
});

test('takes a file of only tags or metadata as of no known kind', async () => {
  const tags = repeat(Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), 1_001);
  expect(await measured(Buffer.concat([tags, repeat(mp3, 1_000)]))).toBe('unknown');
  const sound = flac(1_000, 0);
  const blocks = repeat(Buffer.from([1, 0, 0, 0]), 1_001);
  const metadata = Buffer.concat([Buffer.from([0, 0, 0, 34]), sound.subarray(8, 42), blocks]);
  const file = Buffer.concat([sound.subarray(0, 4), metadata, sound.subarray(4)]);
  expect(await measured(file)).toBe('unknown');
});

test('gives way to other requests while it measures a file of tiny elements', async () => {
  const tiny = Buffer.alloc(1024 * 1024, Buffer.from([0xe7, 0x80]));
  tiny.set([0x1a, 0x45, 0xdf, 0xa3, 0x80, 0xe7, 0x81, 0x00]);
  let turns = 0;
  const other = setInterval(() => turns++, 0);
  await lengthOf(tiny);
  clearInterval(other);
  expect(turns).toBeGreaterThan(0);
});
