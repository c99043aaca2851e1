// SPDX-License-Identifier: MIT
//! Events of what a reader gives.

use std::{
    collections::VecDeque,
    io::{self, Read},
};

use crate::{Decoder, Event, Finish};

const PIECE: usize = 8192;

/// Reads, decodes and finishes with [`Finish::Stop`] at the reader's end.  An
/// error is the last item, behind the events that were made before it.
#[must_use = "nothing is read before an event is asked for"]
pub struct EventReader<'a, R> {
    decoder: &'a mut Decoder,
    reader: R,
    piece: Vec<u8>,
    ready: Ready,
    over: bool,
}

/// What was made and not asked for yet; an error is the last.
pub(crate) type Ready = VecDeque<io::Result<Event>>;

/// Adds the events of |data|, or the last ones where there is no more; true:
/// nothing comes behind them.
pub(crate) fn decode(decoder: &mut Decoder, data: &[u8], ready: &mut Ready) -> bool {
    let over = data.is_empty();
    match if over { decoder.finish(Finish::Stop) } else { decoder.events(data) } {
        Ok(events) => ready.extend(events.map(|event| event.map_err(io::Error::other))),
        Err(error) => ready.push_back(Err(io::Error::other(error))),
    }
    over || matches!(ready.back(), Some(Err(_)))
}

impl<'a, R: Read> EventReader<'a, R> {
    pub(crate) fn new(decoder: &'a mut Decoder, reader: R) -> Self {
        EventReader {
            decoder,
            reader,
            piece: vec![0; PIECE],
            ready: Ready::new(),
            over: false,
        }
    }

    fn read(&mut self) -> io::Result<usize> {
        loop {
            match self.reader.read(&mut self.piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }
}

impl<R: Read> Iterator for EventReader<'_, R> {
    type Item = io::Result<Event>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.over {
            match self.read() {
                Ok(size) => self.over = decode(self.decoder, &self.piece[..size], &mut self.ready),
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
        }
        self.ready.pop_front()
    }
}
