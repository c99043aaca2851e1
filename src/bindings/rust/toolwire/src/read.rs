// SPDX-License-Identifier: MIT
//! Events of what a reader gives.

use std::{
    collections::VecDeque,
    io::{self, Read},
};

use crate::{Decoder, Event, Finish};

const PIECE: usize = 8192;

/// Reads, decodes and finishes with [`Finish::Stop`] at the reader's end.
pub struct EventReader<'a, R> {
    decoder: &'a mut Decoder,
    reader: R,
    piece: Vec<u8>,
    ready: VecDeque<Event>,
    over: bool,
}

impl<'a, R: Read> EventReader<'a, R> {
    pub(crate) fn new(decoder: &'a mut Decoder, reader: R) -> Self {
        EventReader {
            decoder,
            reader,
            piece: vec![0; PIECE],
            ready: VecDeque::new(),
            over: false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        let size = loop {
            match self.reader.read(&mut self.piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.over = size == 0;
        let events = if self.over {
            self.decoder.finish(Finish::Stop)
        } else {
            self.decoder.events(&self.piece[..size])
        };
        for event in events.map_err(io::Error::other)? {
            self.ready.push_back(event.map_err(io::Error::other)?);
        }
        Ok(())
    }
}

impl<R: Read> Iterator for EventReader<'_, R> {
    type Item = io::Result<Event>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.over {
            if let Err(error) = self.fill() {
                self.over = true;
                self.ready.clear();
                return Some(Err(error));
            }
        }
        self.ready.pop_front().map(Ok)
    }
}
