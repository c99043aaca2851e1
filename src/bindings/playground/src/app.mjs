// SPDX-License-Identifier: MIT
//
// The playground: what a model wrote, decoded while it comes, and the other
// way.  All of it runs in the page; nothing is sent anywhere.
import { Decoder, Encoder, decode, describe, diagnostics, formats,
    loadFormat, markers } from '../toolwire/index.mjs';
import { $, caret, el, indexOf, linesOf, locate, pack, placeIn, unpack }
    from './dom.mjs';
import { EXAMPLES, REQUEST } from './examples.mjs';
import { Outputs } from './outputs.mjs';
import { Calls } from './tree.mjs';
import { Wire } from './wire.mjs';

const REMEDIES = globalThis.toolwireRemedies ?? {};
const TEXTS = new Map(diagnostics().map((one) => [one.name, one.text]));
const KNOWN = formats();
const LARGE = 100000;
const LONG = 8000; // of links

const wire = new Wire($('wire'));
const calls = new Calls($('calls'));
let own = null; // a format that is loaded
let run = null; // { decoder, bytes, at, timer, counts }
const outputs = new Outputs(() => schedule());

// ---- what is set -----------------------------------------------------------

const pieceSize = () => {
    const at = Number($('size').value);
    return at === 12 ? Infinity : [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48,
        64][at];
};
const speed = () => {
    const at = Number($('speed').value);
    return at === 10 ? Infinity : [2, 5, 10, 20, 40, 80, 160, 320, 640,
        1280][at];
};
const showSliders = () => {
    $('size-shown').value = pieceSize() === Infinity ? 'all' : pieceSize();
    $('speed-shown').value = speed() === Infinity ? 'most' : speed();
    $('size').setAttribute('aria-valuetext', $('size-shown').value);
    $('speed').setAttribute('aria-valuetext', $('speed-shown').value);
};

const format = () => own !== null && $('own-use').ariaPressed === 'true' ? own
    : $('format').value;

/** What ends a call, which has the colour of its begin. */
const closers = () => new Set(markers(format()).filter((one) =>
    one.role === 'call_close').map((one) => one.text.trim()));

function toolsGiven() {
    const text = $('tools').value.trim();
    return text === '' ? {} : { tools: text };
}

// ---- a run -----------------------------------------------------------------

function count(event) {
    if (event.type === 'diagnostic') {
        diagnose(event);
    }
    wire.add(event);
    calls.add(event);
    outputs.add(event);
}

let listed = 0;

function diagnose(event) {
    if (listed++ >= 200) {
        return;
    }
    run.lines ??= linesOf(run.bytes);
    const { line, column } = placeIn(run.bytes, run.lines, event.offset);
    const remedy = REMEDIES[event.code];
    $('diagnostics').append(el('li', {},
        el('strong', { textContent: event.code }), ` at ${line}:${column}${
            event.id ? ` (${event.id})` : ''}`,
        el('p', { textContent: TEXTS.get(event.code) ?? '' }),
        el('p', { textContent: remedy ? `What helps: ${remedy}` : '' })));
}

function stop() {
    if (run?.timer) {
        cancelAnimationFrame(run.timer);
    }
    run?.decoder?.free();
    run = null;
}

/** Begins anew; false: the decoder cannot be made. */
function begin() {
    stop();
    listed = 0;
    $('error').textContent = '';
    $('diagnostics').replaceChildren();
    $('no-diagnostics').hidden = false;
    const text = $('input').value;
    const bytes = new TextEncoder().encode(text);
    wire.reset(bytes, closers());
    calls.reset();
    outputs.reset();
    try {
        run = {
            decoder: new Decoder(format(), {
                framing: true, keepRaw: true, strict: $('strict').checked,
                ...toolsGiven(),
            }),
            bytes, lines: null, at: 0, timer: 0, last: 0, owed: 0, over: false,
        };
    } catch (error) {
        $('error').textContent = error.message;
        outputs.failed = true;
        outputs.draw();
        run = null;
        return false;
    }
    return true;
}

function feed(size) {
    const end = Math.min(run.bytes.length, run.at + size);
    try {
        run.decoder.feed(run.bytes.subarray(run.at, end)).forEach(count);
        run.at = end;
        if (end === run.bytes.length) {
            run.decoder.finish($('cut').checked ? 'length' : 'stop')
                .forEach(count);
            // An error that came behind its events.
            run.over = true;
        }
    } catch (error) {
        run.over = true;
        outputs.failed = true;
        $('error').textContent = `${error.message}\n`;
        run.at = end;
    }
}

function draw() {
    wire.draw(run.at);
    calls.draw();
    const more = outputs.draw();
    $('no-diagnostics').hidden = listed > 0;
    $('no-diagnostics').textContent = run.over ? 'none' : 'none yet';
    $('state').textContent = `${run.at.toLocaleString()} of ${
        run.bytes.length.toLocaleString()} bytes`;
    return more;
}

/** Feeds what is due, for some milliseconds, and draws once. */
function frame(now) {
    if (run === null) {
        return;
    }
    run.timer = 0;
    if (run.playing && !run.over) {
        const per = speed();
        run.owed = per === Infinity ? Infinity
            : Math.min(run.owed + (now - run.last) / 1000 * per, per);
        run.last = now;
        const until = performance.now() + 10;
        while (run.owed >= 1 && !run.over && performance.now() < until) {
            // A large text in small pieces would be a matter of minutes.
            const least = run.bytes.length > LARGE && per === Infinity ? 256
                : 1;
            feed(Math.max(pieceSize() === Infinity ? 65536 : pieceSize(),
                least));
            run.owed--;
        }
        if ($('wire').dataset.held !== 'yes') {
            $('wire').scrollTop = $('wire').scrollHeight;
        }
    }
    const more = draw();
    if (run.over) {
        setPlaying(false);
    }
    if (more || run.playing && !run.over) {
        schedule();
    } else {
        document.body.dataset.idle = 'yes';
    }
}

function schedule() {
    if (run !== null && run.timer === 0) {
        document.body.dataset.idle = 'no';
        run.timer = requestAnimationFrame(frame);
    }
}

function setPlaying(on) {
    run.playing = on;
    $('play').textContent = on ? '⏸ Pause' : '▶ Stream';
}

function play() {
    if (run !== null && run.playing) {
        setPlaying(false);
        return;
    }
    if (run === null || run.over || run.at === 0) {
        if (!begin()) {
            return;
        }
    }
    run.last = performance.now();
    run.owed = 1;
    setPlaying(true);
    schedule();
}

function step() {
    if ((run === null || run.over) && !begin()) {
        return;
    }
    setPlaying(false);
    feed(pieceSize() === Infinity ? run.bytes.length : pieceSize());
    schedule();
}

/** All at once: what is large is still fed over several frames. */
function all() {
    if (!begin()) {
        return;
    }
    if (run.bytes.length <= LARGE) {
        feed(run.bytes.length);
        schedule();
        return;
    }
    const rest = () => {
        if (run === null || run.over) {
            return;
        }
        const until = performance.now() + 12;
        do {
            feed(16384);
        } while (!run.over && performance.now() < until);
        schedule();
        setTimeout(rest);
    };
    rest();
}

// ---- which format ----------------------------------------------------------

function fit(name, text) {
    try {
        const message = decode(text, name, toolsGiven());
        const { diagnostics: told = [], unparsed = [] } =
            message.toolwire ?? {};
        const foreign = told.filter((one) => one.code === 'foreign_marker');
        // Blanks around a value tell of another layout.
        const loose = (message.tool_calls ?? []).filter((call) =>
            /:\s*"\\n|\\n"[,}]/.test(call.function?.arguments ?? ''));
        const score = (message.tool_calls?.length ?? 0) * 100
            - loose.length * 3
            + (message.reasoning_content ? 30 : 0) - unparsed.length * 60
            - foreign.length * 80 - (told.length - foreign.length) * 7
            - (message.content ?? '').length / (text.length + 1);
        return { score, read: JSON.stringify(message) };
    } catch {
        return { score: -Infinity, read: null };
    }
}

/** What is said of the formats that fit as well as the chosen one does, in the
 * words of `toolwire detect`. */
function others(best, chosen) {
    const list = (how, found) => found.length === 0 ? [] : [`read ${how} by ${
        found.slice(0, 6).map((one) => one.name).join(', ')}`];
    const rest = best.filter((one) => one !== chosen);
    return [...list('alike', rest.filter((one) => one.read === chosen.read)),
        ...list('differently', rest.filter((one) =>
            one.read !== chosen.read))].join('; ') || 'detected';
}

function detect() {
    const text = $('input').value.slice(0, 20000);
    if (text.trim() === '') {
        about();
        $('about').textContent += ' (there is no text to detect a format of)';
        return;
    }
    const found = KNOWN.map(({ name, alias }) =>
        ({ name, alias, ...fit(name, text) }))
        .sort((a, b) => b.score - a.score);
    const best = found.filter((one) => one.score >= found[0].score - 0.01);
    const chosen = best.find((one) => one.alias) ?? best[0];
    $('own-use').ariaPressed = 'false';
    $('format').value = chosen.name;
    about();
    $('about').textContent += found[0].score < 1 ? ' (no format has a call'
        + ' here: this is a guess)' : ` (${others(best, chosen)})`;
    all();
}

function about() {
    const used = own !== null && $('own-use').ariaPressed === 'true';
    const { value } = $('format');
    const mine = $('format-own');
    mine.hidden = mine.disabled = !used;
    if (used) {
        // The value stays that of the built-in format, for links and for
        // "Start from the format above".
        mine.value = value;
        mine.textContent = `${own.name} (yours)`;
        mine.selected = true;
    } else {
        $('format').value = value;
    }
    const one = KNOWN.find(({ name }) => name === value);
    $('about').textContent = used ? `${own.name}: ${own.about}`
        : one?.about ?? '';
    sayOwn();
}

// ---- a format of one's own -------------------------------------------------

/** Of a description that loads: whether it is in use, and its warnings. */
function sayOwn() {
    const told = $('own-error');
    if (told.className === 'fine') {
        told.replaceChildren(`${own.name} ${
            $('own-use').ariaPressed === 'true' ? 'is in use.'
                : 'loads. "Use it" decodes with it.'}`,
        ...own.warnings.map((text) => el('div', { className: 'warning',
            textContent: text })));
    }
}

function loadOwn() {
    const text = $('own').value;
    const told = $('own-error');
    told.className = '';
    if (text.trim() === '') {
        told.textContent = '';
        return false;
    }
    try {
        const made = loadFormat(text);
        own?.free();
        own = made;
        $('own').removeAttribute('aria-invalid');
        told.className = 'fine';
        sayOwn();
        return true;
    } catch (error) {
        const reason = error.reason ?? error.message;
        const path = /^([\w.[\]-]+):/.exec(reason)?.[1] ?? '';
        let index = error.codeName === 'TW_ERROR_JSON'
            ? indexOf(text, error.offset) : locate(text, path);
        if (index < 0) {
            index = locate(text, path.replace(/\[\d+\]$/, ''));
        }
        $('own').setAttribute('aria-invalid', 'true');
        const line = index < 0 ? '' : ` (line ${
            text.slice(0, index).split('\n').length})`;
        told.textContent = `${reason}${line}${
            index < 0 ? '' : `\n${caret(text, index)}`}`;
        told.dataset.index = index;
        return false;
    }
}

function useOwn(on) {
    const can = on && loadOwn();
    $('own-use').ariaPressed = String(can);
    about();
    if (on && $('own').value.trim() === '') {
        $('own-error').textContent = 'Write a description first, or start from'
            + ' the format above.';
    }
    if (can || !on) {
        all();
    }
}

// ---- the other way ---------------------------------------------------------

function encodeNow() {
    const told = $('request-error');
    told.textContent = '';
    $('prompt').replaceChildren();
    $('losses').replaceChildren();
    let encoder = null;
    try {
        encoder = new Encoder($('to').value,
            { controlText: $('control').value });
        const text = $('request').value;
        const segments = $('what').value === 'prompt' ? encoder.segments(text)
            : [{ control: false, text: encoder.completion(text) }];
        $('prompt').append(el('div', {}, ...segments.map((one) => el('span', {
            className: one.control ? 'k-framing' : 'k-text',
            textContent: one.text,
        }))));
        $('losses').append(...encoder.report().map((one) => el('li', {
            textContent: `${one.name} at ${one.path}: ${one.message}`,
        })));
    } catch (error) {
        const text = $('request').value;
        const index = error.codeName === 'TW_ERROR_JSON'
            ? indexOf(text, error.offset) : locate(text, error.path ?? '');
        told.textContent = `${error.message}${
            index < 0 ? '' : `\n${caret(text, index)}`}`;
    } finally {
        encoder?.free();
    }
}

function mode(name) {
    for (const one of ['decode', 'encode']) {
        $(one).hidden = one !== name;
        $(`mode-${one}`).setAttribute('aria-pressed', String(one === name));
    }
    if (name === 'encode') {
        encodeNow();
    }
}

// ---- links -----------------------------------------------------------------

const FIELDS = ['format', 'input', 'tools', 'own', 'size', 'speed', 'to',
    'what', 'control', 'request'];

async function copyLink() {
    const state = { tab: outputs.current,
        mode: $('decode').hidden ? 'encode' : 'decode',
        use: $('own-use').ariaPressed, strict: $('strict').checked,
        cut: $('cut').checked };
    for (const id of FIELDS) {
        state[id] = $(id).value;
    }
    location.hash = await pack(state);
    try {
        await navigator.clipboard.writeText(location.href);
        $('link').textContent = location.href.length <= LONG ? 'Copied'
            : `Copied: ${location.href.length.toLocaleString()} letters, which`
                + ' some programs cut off';
    } catch {
        $('link').textContent = 'See the address';
    }
    setTimeout(() => {
        $('link').textContent = 'Copy link';
    }, location.href.length <= LONG ? 1500 : 6000);
}

async function openLink() {
    if (location.hash.length < 2) {
        return false;
    }
    try {
        const state = await unpack(location.hash.slice(1));
        for (const id of FIELDS) {
            if (typeof state[id] === 'string') {
                $(id).value = state[id];
            }
        }
        showSliders();
        $('strict').checked = state.strict === true;
        $('cut').checked = state.cut === true;
        $('tools-box').open = $('tools').value !== '';
        $('own-box').open = $('own').value !== '';
        $('own-use').ariaPressed = String(state.use === 'true' && loadOwn());
        outputs.show(state.tab);
        mode(state.mode === 'encode' ? 'encode' : 'decode');
        return true;
    } catch {
        $('error').textContent = 'The link could not be read.';
        return false;
    }
}

// ---- the page --------------------------------------------------------------

const option = (value, label = value) => el('option',
    { value, textContent: label });

function fill() {
    for (const { name, prompts } of KNOWN) {
        $('format').append(option(name));
        if (prompts) {
            $('to').append(option(name));
        }
    }
    $('format').append(el('option', { id: 'format-own', hidden: true,
        disabled: true }));
    $('to').append(...KNOWN.filter((one) => !one.prompts).map(({ name }) =>
        option(name, `${name} (completions)`)));
    $('to').value = 'hermes/qwen3';
    EXAMPLES.forEach(([label], i) => $('example').append(option(i, label)));
    $('request').value = REQUEST;
    example(0);
}

function example(i) {
    const [, name, text] = EXAMPLES[i];
    $('input').value = text;
    $('own-use').ariaPressed = 'false';
    $('format').value = KNOWN.find((one) => one.name === name
        || one.alias === name).name;
    about();
}

function theme(name) {
    document.documentElement.dataset.theme = name;
}

function listen() {
    const late = (run_) => {
        let timer;
        return () => {
            clearTimeout(timer);
            timer = setTimeout(run_, 150);
        };
    };
    $('play').onclick = play;
    $('step').onclick = step;
    $('all').onclick = all;
    $('detect').onclick = detect;
    $('input').oninput = late(all);
    $('tools').oninput = late(all);
    $('strict').onchange = $('cut').onchange = all;
    $('format').onchange = () => {
        $('own-use').ariaPressed = 'false';
        about();
        all();
    };
    $('example').onchange = () => {
        example($('example').value);
        all();
    };
    $('size').oninput = $('speed').oninput = showSliders;
    $('own').oninput = late(() => {
        if ($('own-use').ariaPressed === 'true') {
            useOwn(true);
        } else {
            loadOwn();
        }
    });
    $('own-copy').onclick = () => {
        const json = describe($('format').value);
        $('own').value = json === null ? '' : JSON.stringify(JSON.parse(json),
            null, 2);
        loadOwn();
        if (json === null) {
            $('own-error').textContent = `${$('format').value} is a program,`
                + ' and has no description';
        }
    };
    $('own-use').onclick = () => useOwn($('own-use').ariaPressed !== 'true');
    $('own-error').onclick = () => {
        const index = Number($('own-error').dataset.index);
        if (index >= 0) {
            $('own').focus();
            $('own').setSelectionRange(index, index + 1);
        }
    };
    $('mode-decode').onclick = () => mode('decode');
    $('mode-encode').onclick = () => mode('encode');
    for (const id of ['to', 'what', 'control', 'request']) {
        $(id).oninput = late(encodeNow);
    }
    $('back').onclick = () => {
        $('input').value = $('prompt').textContent;
        $('format').value = $('to').value;
        mode('decode');
        about();
        all();
    };
    $('link').onclick = copyLink;
    $('theme').onclick = () => theme(
        document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    $('wire').addEventListener('wheel', () => {
        const box = $('wire');
        box.dataset.held = box.scrollTop + box.clientHeight + 40
            < box.scrollHeight ? 'yes' : 'no';
    });
    addEventListener('keydown', (event) => {
        if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
            play();
        }
    });
    addEventListener('hashchange', async () => {
        if (await openLink()) {
            about();
            all();
        }
    });
}

theme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
fill();
listen();
showSliders();
openLink().then(() => {
    about();
    all();
    document.body.dataset.ready = 'yes';
});
