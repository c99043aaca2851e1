# SPDX-License-Identifier: MIT
"""Modules that are not there, for code that names them and never calls them.

Servers' parsers stand in packages that import the whole of inference.  What a
parser needs of these is a name in an annotation, a decorator or a base class;
a stub is any of the three.
"""
import abc
import importlib.abc
import importlib.machinery
import sys
import types


class _Names(abc.ABCMeta):
    """A class whose every attribute is another such class."""

    def __getattr__(cls, name):
        if name.startswith('__'):
            raise AttributeError(name)
        made = _Names(name, (_Thing,), {})
        setattr(cls, name, made)
        return made

    def __or__(cls, other):
        return cls

    def __ror__(cls, other):
        return cls

    def __getitem__(cls, key):
        return cls

    def __iter__(cls):
        """Of nothing: else it would go on for ever, by __getitem__."""
        return iter(())


class _Thing(metaclass=_Names):
    """What such a class makes: as a decorator, it changes nothing."""

    def __new__(cls, *arguments, **options):
        if len(arguments) == 1 and not options and callable(arguments[0]):
            return arguments[0]
        return super().__new__(cls)

    def __init__(self, *arguments, **options):
        pass

    def __call__(self, *arguments, **options):
        if len(arguments) == 1 and not options and callable(arguments[0]):
            return arguments[0]
        return self

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _Thing()

    def __bool__(self):
        return False

    @classmethod
    def __get_pydantic_core_schema__(cls, _source, _handler):
        from pydantic_core import core_schema
        return core_schema.any_schema()


class _Module(types.ModuleType):
    __path__ = []
    __version__ = '2.9.0'  # Compared with, so any recent one.
    lacking = ()

    def __getattr__(self, name):
        if name.startswith('__') or name in self.lacking:
            raise AttributeError(name)
        made = _Names(name, (_Thing,), {})
        setattr(self, name, made)
        return made


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names):
        self.names = names

    def find_spec(self, fullname, path, target=None):
        for name in self.names:
            if fullname == name or fullname.startswith(name + '.'):
                return importlib.machinery.ModuleSpec(fullname, self,
                                                      is_package=True)
        return None

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        pass


def stub(names):
    """Puts stubs in the place of these modules and all inside them."""
    sys.meta_path.insert(0, _Finder(names))


def lack(module, name):
    """What some ask for with hasattr(), a stub that was put there lacks."""
    vars(module).pop(name, None)
    module.lacking = module.lacking + (name,)


def bare_package(name, folder):
    """A package without its __init__, which would import everything."""
    package = types.ModuleType(name)
    package.__path__ = [folder]
    package.__spec__ = importlib.machinery.ModuleSpec(name, None,
                                                     is_package=True)
    sys.modules[name] = package
    return package
